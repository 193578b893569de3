// @ts-check
/** Scans a code with the camera of this device. Its pictures stay in the page. */

import { setTextOrHide } from "../room/parts.mjs";
import { button } from "../runtime/words/controls.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { readFragment } from "./code.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {{detect: (seen: HTMLVideoElement) => Promise<readonly {rawValue: string}[]>}} Detector */

const PAUSE = 150; // milliseconds between two looks

/** An element with a button for the camera, and its picture. @param {"join" | "answer"} codeKind what the code has to
 * be
 * @param {(text: string) => void} onFound the link or the code; the camera is off again by then */
export function scanControl(codeKind, onFound) {
  const video = makeElement("video", { muted: true, playsInline: true, "aria-label": localizedText("seen") });
  const note = makeElement("p", { class: "od-note", role: "status", hidden: true });
  const act = button(localizedText("scan"), () => void (video.srcObject ? stopCamera() : startCamera()));
  const root = makeElement("div", { class: "od-scan" }, act, video, note);
  video.hidden = true;

  function stopCamera() {
    for (const track of /** @type {MediaStream | null} */ (video.srcObject)?.getTracks() ?? []) track.stop();
    video.srcObject = null;
    video.hidden = true;
    act.textContent = localizedText("scan");
    setTextOrHide(note, "");
  }

  async function startCamera() {
    act.disabled = true;
    try {
      const [detector, stream] = await Promise.all([
        loadQrCodeReader(),
        navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }),
      ]);
      video.srcObject = stream;
      video.hidden = false;
      act.textContent = localizedText("stopScan");
      setTextOrHide(note, localizedText("hold"));
      void video.play();
      void lookForCode(detector).catch(showCameraError);
    } catch (error) {
      showCameraError(/** @type {Error} */ (error));
    } finally {
      act.disabled = false;
    }
  }

  /** Stop the camera, and say what went wrong. @param {Error} error */
  function showCameraError(error) {
    stopCamera();
    setTextOrHide(note, localizedText(error.name === "NotAllowedError" ? "cameraForbidden" : "cameraFailed"));
  }

  /** Look for a code until one is found or the camera stops. @param {Detector} detector */
  async function lookForCode(detector) {
    while (video.srcObject && video.isConnected && !document.hidden) {
      const [code] = video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA ? [] : await detector.detect(video);
      const text = code?.rawValue ?? "";
      if (text && video.srcObject && readFragment(text)[codeKind]) {
        stopCamera();
        return onFound(text);
      }
      setTextOrHide(note, localizedText(text ? "otherCode" : "hold"));
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    stopCamera();
  }

  return root;
}

/** The browser's own reader of QR codes, else one that is loaded now. @returns {Promise<Detector>} */
async function loadQrCodeReader() {
  const own = /** @type {any} */ (globalThis).BarcodeDetector;
  const formats = own ? await own.getSupportedFormats() : [];
  const { BarcodeDetector } = formats.includes("qr_code")
    ? { BarcodeDetector: own }
    : await import("../vendor/decode.js");
  return new BarcodeDetector({ formats: ["qr_code"] });
}
