import type { Page } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';

type Message = { type: string };

/** A session as the pages pass it between tabs. */
export async function keptSession(server: TestServer, { token }: TestUser) {
  const answer = await server.get('/api/auth/me', token);
  if (answer.status !== 200) throw new Error(`The session cannot be handed over: ${answer.status} ${answer.text}`);
  const [, claims = ''] = token.split('.');
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
  return { user: answer.body, token, expiresAt: exp * 1000 };
}

/**
 * Gives a page a session before it is opened, as another tab would that is then closed.
 * @param options.isLate the answer comes only after the login form is shown
 */
export async function handSession(
  page: Page,
  server: TestServer,
  user: TestUser,
  { isLate = false } = {},
): Promise<void> {
  const kept = await keptSession(server, user);
  const handing = await page.addInitScript(
    ({ value, late }) => {
      // At once, in the page itself: a real tab may answer later than a page waits, and such a page requests nothing ahead.
      const { postMessage } = BroadcastChannel.prototype;
      BroadcastChannel.prototype.postMessage = function (message: Message): void {
        postMessage.call(this, message);
        if (this.name !== 'session' || message.type !== 'ask') return;
        BroadcastChannel.prototype.postMessage = postMessage;
        const answer = (): void => {
          if (late && location.pathname !== '/login') requestAnimationFrame(answer);
          else this.dispatchEvent(new MessageEvent('message', { data: { type: 'answer', kept: value } }));
        };
        answer();
      };
    },
    { value: kept, late: isLate },
  );
  // Only the first load. After a reload the page uses its own session, and after a logout it has none.
  page.once('load', () => void handing.dispose().catch(() => {}));
}
