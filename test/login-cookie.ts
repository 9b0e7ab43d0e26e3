import assert from 'node:assert/strict';
import type { Answer, TestServer, TestUser } from './server.ts';

/** The value of the cookie that an answer sets. Undefined where it sets none. */
export const cookieOf = ({ headers }: Answer): string | undefined =>
  /^login=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1];

/** Logs in as the pages do. @returns the answer's token, and the value of its cookie */
export async function logInWithCookie(server: TestServer, { username, password }: TestUser) {
  const json = { username, password, has_cookie: true };
  const answer = await server.request('POST', '/api/auth/login', { json, headers: { origin: server.url } });
  assert.equal(answer.status, 200, answer.text);
  return { token: answer.body.access_token as string, cookie: cookieOf(answer) ?? assert.fail('no cookie') };
}

/** Sends the cookie as a page of the service. */
export const exchange = (
  server: TestServer,
  cookie: string,
  headers: Record<string, string> = { origin: server.url },
): Promise<Answer> =>
  server.request('POST', '/api/auth/refresh', { headers: { ...headers, cookie: `login=${cookie}` } });
