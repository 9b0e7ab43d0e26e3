import type { Page } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';

type Message = { type: string };

/**
 * Gives a page a session before it is opened, as another tab would that is then closed.
 * @param options.isLate the answer comes only after the login form is shown
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
  // Only the first load. After a reload the page uses its own session, and after a logout it has none.
  page.once('load', () => void handing.dispose().catch(() => {}));
}
