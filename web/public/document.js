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
})();
