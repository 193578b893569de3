// Keeps the whole site for when there is no network: every page, what pages load, the tables to play at. Not the
// downloads. What is large and not for everybody is kept when somebody has loaded it.
//
// offline-files.js, written when the site is built, has the hash of every file. What is kept goes by path and hash, so
// a new version fetches only what changed. What is kept comes first: a page is there at once on a bad network, and a
// new version shows from the next page on that a reader opens.

/* global FILES, ASKED -- path below this folder: hash */
importScripts("offline-files.js");

const HERE = new URL("./", self.location.href);
const CACHE = `kept ${HERE.href}`;
const AT_ONCE = 6;
const key = (path) => `${new URL(path, HERE).href}?${FILES[path] ?? ASKED[path]}`;

/** Download the files of the site that the cache lacks. */
async function cacheFiles() {
  const cache = await caches.open(CACHE);
  const had = new Set((await cache.keys()).map(({ url }) => url));
  const missing = Object.keys(FILES).filter((path) => !had.has(key(path)));
  const next = async () => {
    for (let path = missing.pop(); path !== undefined; path = missing.pop()) {
      const answer = await fetch(new URL(path, HERE), { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await cache.put(key(path), answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  await self.skipWaiting();
}

/** Delete from the cache what this version of the site does not have. */
async function deleteOldFiles() {
  const cache = await caches.open(CACHE);
  const wanted = new Set(Object.keys({ ...FILES, ...ASKED }).map(key));
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
  await self.clients.claim();
}

/** The file that an address stands for, if it is one of this site, or one of another host that a page asks for; else
 * null. */
function pathOf(address) {
  if (Object.hasOwn(ASKED, address)) return address;
  const url = new URL(address);
  if (url.origin !== HERE.origin || !url.pathname.startsWith(HERE.pathname)) return null;
  const path = decodeURI(url.pathname.slice(HERE.pathname.length)).replace(/(^|\/)index\.html$/, "$1");
  return Object.hasOwn(FILES, path) || Object.hasOwn(ASKED, path) ? path : null;
}

/** The answer to a request from the cache. A file that it lacks is fetched. It is added to the cache if it is one of
 * those that are kept once a reader has loaded them. */
async function cachedResponse(path, request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(key(path));
  if (found || Object.hasOwn(FILES, path)) return found ?? fetch(request);
  const answer = await fetch(request, { cache: "no-cache" });
  if (answer.ok) await cache.put(key(path), answer.clone()).catch(() => {}); // the device may be full
  return answer;
}

self.addEventListener("install", (event) => event.waitUntil(cacheFiles()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldFiles()));
self.addEventListener("fetch", (event) => {
  const path = event.request.method === "GET" ? pathOf(event.request.url) : null;
  if (path !== null) event.respondWith(cachedResponse(path, event.request));
});
