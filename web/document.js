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
  root.dataset.density = chosen('density') ?? 'comfortable';
  // The same languages as in src/strings/load-strings.ts.
  const wanted = [chosen('language'), ...navigator.languages.map((tag) => tag.split('-')[0])];
  root.lang = wanted.find((language) => ['en', 'de', 'ru'].includes(language)) ?? 'en';
  // The note that the browser is logged in: src/api/remembered-user.ts.
  const isLoggedIn = chosen('session-user') !== null;
  // Requested while the scripts load, which would otherwise wait for it: src/api/session.ts.
  if (isLoggedIn) globalThis.earlyLogin = fetch('/api/auth/refresh', { method: 'POST' }).catch(() => undefined);
  // What visitors without a session can see.
  const isOpen = ['/register', '/invitation', ...('hasFrontPage' in root.dataset ? ['/', '/welcome'] : [])].includes(location.pathname);
  if (location.pathname === '/login' || (!isLoggedIn && !isOpen)) root.dataset.first = 'login';
})();

// A login that is sent before the scripts are there. The page that replaces the form sends it: src/account/document-form.ts.
addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.id !== 'document-login') return;
  event.preventDefault();
  form.dataset.sent = '';
  form.querySelector('button')?.setAttribute('aria-busy', 'true');
});

// Until React replaces it, the document shows that the pages are loading. If they do not start, it says so and offers another try. Once a minute
// they are loaded again by themselves where one of their files is missing: the service was updated and the file has another name now, or the
// network has changed meanwhile, as between two access points, and has interrupted the requests. Without a connection the page stays as it is,
// because the document could not be loaded either.
(() => {
  const [name, pause, patience, answerTime] = ['reloaded-at', 60_000, 20_000, 5000];
  const show = () => document.getElementById('start')?.setAttribute('data-failed', '');
  setTimeout(show, patience);
  const mayReload = () => {
    // What was typed would be lost.
    if ([...document.querySelectorAll('#document-login input')].some(({ value }) => value !== '')) return false;
    try {
      if (Date.now() - Number(sessionStorage.getItem(name) ?? 0) < pause) return false;
      sessionStorage.setItem(name, String(Date.now()));
      return true;
    } catch {
      // Without a memory it could continue for ever.
      return false;
    }
  };
  const isServiceThere = async () => {
    if (!navigator.onLine) return false;
    const options = { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } };
    const answer = await fetch('/', { ...options, signal: AbortSignal.timeout(answerTime) }).catch(() => undefined);
    return answer?.ok ?? false;
  };
  const reload = async () => {
    const isReloading = (await isServiceThere()) && mayReload();
    if (isReloading) location.reload();
    return isReloading;
  };
  let decision = Promise.resolve(false);
  const reloadOnce = () => {
    decision = decision.then((isReloading) => isReloading || reload());
  };
  // For src/routing/reload.ts.
  globalThis.isReloadingPages = () => decision;
  // The scripts that a reload interrupts fail as well.
  const showUnlessReloading = () => {
    void decision.then((isReloading) => isReloading || show());
  };
  addEventListener('vite:preloadError', reloadOnce);
  addEventListener('pages-failed', showUnlessReloading);
  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLScriptElement)) return;
      reloadOnce();
      showUnlessReloading();
    },
    true,
  );
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#start [role="alert"] button')) location.reload();
  });
})();
