// Keeps the page for when there is no network.
const KEPT = "boardwright-$digest";
const FILES = ["./", "app.webmanifest", "icon.svg"];

async function keep() {
  await (await caches.open(KEPT)).addAll(FILES);
  await self.skipWaiting();
}

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
}

async function answer(request) {
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
self.addEventListener("fetch", (event) => event.respondWith(answer(event.request)));
