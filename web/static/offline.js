// Keeps the files of the page, so that it opens without a network. A newer export has another version, and replaces them.

const VERSION = "/*VERSION*/";
const FILES = [/*FILES*/];

addEventListener("install", (event) => event.waitUntil((async () => {
  await (await caches.open(VERSION)).addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith((async () => (await caches.match(event.request, { ignoreSearch: true })) ?? fetch(event.request))());
});
