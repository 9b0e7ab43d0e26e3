import type { Page } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';

/** The note in the storage of the pages: whose cookie the browser has. */
const note = 'session-user';

/** Gives a browser the cookie that continues the login of a user's token, as though its pages had logged in. */
export async function giveCookie(page: Page, server: TestServer, user: TestUser): Promise<void> {
  const { auth, loginCookies } = server.application;
  const { login } = auth.claimsOf(user.token);
  const value = await loginCookies.create({ user: await auth.authenticate(user.token), login, issuedAt: new Date() });
  // Cookies know no ports.
  const { hostname: domain } = new URL(server.url);
  const cookie = { name: 'login', value, domain, path: '/api/auth/refresh' };
  await page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }]);
}

/** Gives a page a session before it is opened, as of another tab that was closed. */
export async function handSession(page: Page, server: TestServer, user: TestUser): Promise<void> {
  await giveCookie(page, server, user);
  const handing = await page.addInitScript(
    ([key, id]) => {
      // Not on an empty page.
      if (location.protocol.startsWith('http')) localStorage.setItem(key, id);
    },
    [note, `${user.id}`] as const,
  );
  // Only the first load. After a reload the page uses its own session, and after a logout it has none.
  page.once('load', () => void handing.dispose().catch(() => {}));
}

/** Changes the note in a loaded page, and tells the page as though another tab had done it. Null: it has logged out. */
export const changeNote = (page: Page, id: number | null): Promise<void> =>
  page.evaluate(changeNoteInPage, [note, id === null ? null : `${id}`] as const);

function changeNoteInPage([key, newValue]: readonly [string, string | null]): void {
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  dispatchEvent(new StorageEvent('storage', { key, newValue }));
}
