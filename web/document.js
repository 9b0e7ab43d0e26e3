// Before the first paint, so that a page does not flash in the other theme or language: what the user chose here, or what the system prefers.
(() => {
  const root = document.documentElement;
  const chosen = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = chosen('theme') ?? (systemIsDark ? 'dark' : 'light');
  root.lang = chosen('language') ?? (navigator.language.startsWith('ru') ? 'ru' : 'en');
  // The keeper of sessions is a service worker. Without one, this browser has no session that a page could restore, except in another tab.
  const hasKeeper = Boolean(navigator.serviceWorker?.controller);
  // What visitors without a session can see.
  const isOpen = ['/register', '/invitation', ...('hasFrontPage' in root.dataset ? ['/', '/welcome'] : [])].includes(location.pathname);
  if (location.pathname === '/login' || (!hasKeeper && !isOpen)) root.dataset.first = 'login';
})();

// A login that is sent before the scripts are there. The page that replaces the form sends it: src/account/document-form.ts.
addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.id !== 'document-login') return;
  event.preventDefault();
  form.dataset.sent = '';
  form.querySelector('button')?.setAttribute('aria-busy', 'true');
});

// Until React replaces it, the document shows that the pages are loading. If they do not start, it says so and offers another try.
(() => {
  const patience = 20_000;
  const show = () => document.getElementById('start')?.setAttribute('data-failed', '');
  setTimeout(show, patience);
  // The scripts that a reload interrupts fail as well.
  let isReloading = false;
  let hasFailed = false;
  addEventListener('pages-reloading', () => {
    isReloading = true;
  });
  addEventListener('pages-staying', () => {
    isReloading = false;
    if (hasFailed) show();
  });
  const fail = () => {
    hasFailed = true;
    if (!isReloading) show();
  };
  addEventListener('pages-failed', fail);
  addEventListener(
    'error',
    ({ target }) => {
      // After a moment, in which the other scripts can find that the page has to be loaded again.
      if (target instanceof HTMLScriptElement) setTimeout(fail, 500);
    },
    true,
  );
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#start [role="alert"] button')) location.reload();
  });
})();
