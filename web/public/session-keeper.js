// Earlier releases had a service worker here. Browsers that still have it load this one in its place, which removes itself.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.registration.unregister()));
