import type { Page } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';

type Message = { type: string };

/**
 * Has a page that was not opened yet begin with a user's session, as if a tab beside it had it and then closed.
 * @param options.isLate the tab answers when the page has given up on it and shows the login form
 */
export async function handSession(
  page: Page,
  server: TestServer,
  { token }: TestUser,
  { isLate = false } = {},
): Promise<void> {
  const answer = await server.get('/api/auth/me', token);
  if (answer.status !== 200) throw new Error(`The session cannot be handed over: ${answer.status} ${answer.text}`);
  const [, claims = ''] = token.split('.');
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
  const kept = { user: answer.body, token, expiresAt: exp * 1000 };
  const handing = await page.addInitScript(
    ({ value, late }) => {
      const channel = new BroadcastChannel('session');
      const answer = (): void => {
        if (late && !document.querySelector('input[type=password]')) {
          requestAnimationFrame(answer);
          return;
        }
        channel.postMessage({ type: 'answer', kept: value });
        channel.close();
      };
      channel.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.type === 'ask') answer();
      };
    },
    { value: kept, late: isLate },
  );
  // What the page loads next gets no session from here: a reload finds its own, and a user who has logged out stays so.
  page.once('load', () => void handing.dispose().catch(() => {}));
}
