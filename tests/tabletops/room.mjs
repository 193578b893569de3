// A room of Owlbear Rodeo, as far as its published SDK 3.1.0 shows: the extension in a frame for each person, who is
// known by his frame and not by what he says, metadata that everybody may write, and at most 16 kB of it. It is a
// model; no real room was seen.
//
// The address says who is here: ?gm=Keeper&player=Ann, &width=320, &dark=1; and with &ext= which page is the extension.

const asked = new URLSearchParams(location.search);
const metadata = { "another.extension/notes": "x" };
const clients = [];
const refused = [];
const log = [];
globalThis.room = { metadata, clients, refused, log, tell, put };

const MOST = 16 * 1024;

for (const role of ["gm", "player"])
  for (const name of asked.getAll(role)) seat({ id: `${role}-${clients.length}`, name, role: role.toUpperCase() });

function seat(person) {
  const frame = document.createElement("iframe");
  const client = { ...person, frame, ref: crypto.randomUUID(), heard: new Set(), loads: 0 };
  frame.title = `Extension of ${person.role} ${clients.length}`;
  frame.style.width = `${asked.get("width") ?? 400}px`;
  frame.src = `/${asked.get("ext") ?? "ext/index.html"}?obrref=${encodeURIComponent(btoa(`${location.origin} room1`))}`;
  frame.addEventListener("load", () => {
    client.heard.clear();
    client.loads += 1;
    say(client, "OBR_READY", { ref: client.ref, userId: client.id });
  });
  clients.push(client);
  document.body.append(frame);
}

function say(client, id, data) {
  client.frame.contentWindow.postMessage({ id, data }, location.origin);
}

/** To all who listen for it. */
function tell(id, data) {
  for (const client of clients) if (client.heard.has(id)) say(client, id, data);
}

/** Write to the room, as anybody can by hand. */
function put(update) {
  Object.assign(metadata, structuredClone(update));
  tell("OBR_ROOM_METADATA_EVENT_CHANGE", { metadata: structuredClone(metadata) });
}

const theme = () => ({ mode: asked.get("dark") ? "DARK" : "LIGHT" });
const ANSWERS = {
  OBR_PLAYER_GET_NAME: ({ name }) => ({ name }),
  OBR_PLAYER_GET_ROLE: ({ role }) => ({ role }),
  OBR_ROOM_GET_METADATA: () => ({ metadata: structuredClone(metadata) }),
  OBR_THEME_GET_THEME: () => ({ theme: theme() }),
  OBR_ROOM_SET_METADATA: (client, { update }) => {
    if (new TextEncoder().encode(JSON.stringify({ ...metadata, ...update })).length > MOST)
      throw new Error("the room is full");
    put(update);
    return {};
  },
};
const SUBSCRIPTIONS = {
  OBR_PLAYER_SUBSCRIBE: "OBR_PLAYER_EVENT_CHANGE",
  OBR_ROOM_METADATA_SUBSCRIBE: "OBR_ROOM_METADATA_EVENT_CHANGE",
  OBR_THEME_SUBSCRIBE: "OBR_THEME_EVENT_CHANGE",
};

addEventListener("message", ({ source, origin, data }) => {
  const client = clients.find(({ frame }) => frame.contentWindow === source);
  if (!client || origin !== location.origin || data.ref !== client.ref) return void refused.push(data?.id);
  log.push(data.id);
  if (Object.hasOwn(SUBSCRIPTIONS, data.id)) return void client.heard.add(SUBSCRIPTIONS[data.id]);
  if (!Object.hasOwn(ANSWERS, data.id)) return void refused.push(data.id);
  try {
    const answer = ANSWERS[data.id](client, data.data);
    say(client, `${data.id}_RESPONSE${data.nonce}`, answer);
  } catch (error) {
    say(client, `${data.id}_ERROR${data.nonce}`, { name: "Error", message: error.message });
  }
});
