// @ts-check
/** Three quiet synthesized sounds: coins, a win and a loss. They are off until somebody switches them on. */

const KEY = "oddsmith/sounds";
const LOUD = 0.05; // of all that a device can
/** Tones by name: when each begins, in seconds, how high it is, in hertz, how long it lasts, and its shape.
 * @type {Record<string, [start: number, pitch: number, length: number, shape: OscillatorType][]>} */
export const SOUNDS = {
  coins: [
    [0, 3136, 0.12, "triangle"],
    [0.07, 3951, 0.1, "triangle"],
    [0.13, 3520, 0.16, "triangle"],
    [0.22, 4186, 0.2, "triangle"],
  ],
  win: [
    [0, 523, 0.25, "triangle"],
    [0.13, 659, 0.25, "triangle"],
    [0.26, 784, 0.25, "triangle"],
    [0.39, 1047, 0.6, "triangle"],
  ],
  loss: [
    [0, 392, 0.3, "sine"],
    [0.22, 311, 0.3, "sine"],
    [0.44, 262, 0.7, "sine"],
  ],
};

/** @type {AudioContext | null} */
let context = null;
let wanted = wereSoundsOn();

/** Whether sounds were switched on before. A page in a frame may not be allowed to store anything. */
function wereSoundsOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** Whether sounds are on. */
export const areSoundsOn = () => wanted;

/** Switch sounds on or off. @param {boolean} isOn */
export function switchSounds(isOn) {
  wanted = isOn;
  try {
    localStorage.setItem(KEY, isOn ? "on" : "off");
  } catch {
    // then it holds for this visit
  }
  if (isOn) playSound("coins");
}

/** Play a sound, if sounds are on. @param {keyof typeof SOUNDS} name */
export function playSound(name) {
  if (!wanted || !("AudioContext" in globalThis)) return;
  context ??= new AudioContext();
  void context.resume();
  const now = context.currentTime + 0.02;
  for (const [start, pitch, length, shape] of SOUNDS[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    Object.assign(tone, { type: shape });
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, now + start);
    volume.gain.linearRampToValueAtTime(LOUD, now + start + 0.01);
    volume.gain.exponentialRampToValueAtTime(LOUD / 100, now + start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now + start);
    tone.stop(now + start + length);
  }
}
