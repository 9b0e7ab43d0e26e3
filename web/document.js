// Before the first paint, so that a page does not flash in the other theme or language: what the user chose here, or what the system prefers.
(() => {
  const root = document.documentElement;
  // A launch of a platform was posted elsewhere, and opens this page: src/account/launch-page.tsx.
  if (root.dataset.launchNext) history.replaceState(null, '', '/lti');
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
  const isOpen = ['register', 'invitation', 'verify', 'forgot-password', 'reset-password', 'confirm-address', 'lti', ...('hasFrontPage' in root.dataset ? ['', 'welcome'] : [])].includes(
    location.pathname.split('/')[1],
  );
  if (isOpen) root.dataset.open = '';
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

// Until React replaces it, the document shows that the pages are loading. If they do not start, it says so and offers another try. Up to three
// times a minute they are loaded again by themselves where one of their files is missing: the service was updated and the file has another name now, or the
// network has changed meanwhile, as between two access points, and has interrupted the requests. Chromium does not request every script again that it
// could not fetch, so later attempts of a part of a page end here as well. Without a connection the page stays as it is, because the document
// could not be loaded either, and so it does while the file of a part still cannot be fetched.
(() => {
  const [name, most, span, patience, answerTime] = ['reloaded-at', 3, 60_000, 20_000, 5000];
  const show = () => document.getElementById('start')?.setAttribute('data-failed', '');
  setTimeout(show, patience);
  // The page with input that was not sent. What is typed into a terminal is not lost, and a file can be chosen again.
  let typedOn;
  addEventListener(
    'input',
    ({ target }) => {
      if (target.type !== 'file' && !target.closest?.('.xterm')) typedOn = location.pathname;
    },
    true,
  );
  addEventListener('submit', () => (typedOn = undefined), true);
  // Nothing is lost by a reload of its own, so the browser need not ask.
  let isReplaced = false;
  addEventListener('beforeunload', (event) => isReplaced && event.stopImmediatePropagation(), true);
  const mayReload = () => {
    // What was typed would be lost.
    if (typedOn === location.pathname) return false;
    if ([...document.querySelectorAll('#document-login input')].some(({ value }) => value !== '')) return false;
    // What a page still sends would be lost: src/routing/reload.ts.
    if (!dispatchEvent(new Event('pages-reload', { cancelable: true }))) return false;
    try {
      const times = (sessionStorage.getItem(name) ?? '').split(' ').filter((time) => Date.now() - Number(time) < span);
      if (times.length >= most) return false;
      sessionStorage.setItem(name, [...times, Date.now()].join(' '));
      return true;
    } catch {
      // Without a memory it could continue for ever.
      return false;
    }
  };
  const answerOf = (address) => {
    const options = { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } };
    return fetch(address, { ...options, signal: AbortSignal.timeout(answerTime) }).catch(() => undefined);
  };
  const isServiceThere = async (file) =>
    navigator.onLine && (!file || (await answerOf(file)) !== undefined) && ((await answerOf('/'))?.ok ?? false);
  const reload = async (file) => {
    const isReloading = (await isServiceThere(file)) && mayReload();
    if (!isReloading) return false;
    isReplaced = true;
    location.reload();
    return true;
  };
  let decision = Promise.resolve(false);
  /** @param file of a part of a page, where the browser names it */
  const reloadOnce = (file) => {
    decision = decision.then((isReloading) => isReloading || reload(file));
  };
  // For src/routing/reload.ts.
  globalThis.isReloadingPages = () => decision;
  // The scripts that a reload interrupts fail as well.
  const showUnlessReloading = () => {
    void decision.then((isReloading) => isReloading || show());
  };
  addEventListener('vite:preloadError', ({ payload }) => reloadOnce(/[^\s]*\/assets\/\S+/.exec(payload?.message)?.[0]));
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
