// A service worker that does one thing: it holds the session in its memory while a page reloads (docs/decisions/0005). It intercepts no request
// and stores nothing, so the session is gone when the browser puts it to rest after the last page has closed.
let session = null;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  const { type, value } = event.data ?? {};
  if (type === 'keep') session = value;
  if (type === 'ask') event.ports[0]?.postMessage(session);
});
