import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { smallServer } from '../../../test/small-server.ts';
import { type Access, bearerToken } from './access.ts';

const kinds: Access[] = ['public', 'catalogue', 'user', 'instructor', 'admin', 'own', 'login'];
const routes: FastifyPluginAsyncTypebox = async (app) => {
  for (const access of kinds) {
    app.get(`/${access}`, {
      config: { access },
      handler: async (request) => ({ username: request.user?.username ?? null }),
    });
  }
};

describe('access', () => {
  it('must be declared by every route', async () => {
    const open: FastifyPluginAsyncTypebox = async (app) => {
      app.get('/api/open', { handler: async () => 'open' });
    };
    await assert.rejects(smallServer(open), /^Error: GET \/api\/open does not declare its access$/);
    const nested: FastifyPluginAsyncTypebox = async (app) => {
      await app.register(open, { prefix: '/nested' });
    };
    await assert.rejects(smallServer(nested), /GET \/nested\/api\/open does not declare its access/);
  });

  const table: [caller: string | undefined, statuses: number[]][] = [
    [undefined, [200, 401, 401, 401, 401, 200, 200]],
    ['nobody', [200, 401, 401, 401, 401, 200, 401]],
    ['student', [200, 200, 200, 403, 403, 200, 200]],
    ['instructor', [200, 200, 200, 200, 403, 200, 200]],
    ['admin', [200, 200, 200, 200, 200, 200, 200]],
  ];
  for (const [caller, expected] of table) {
    it(`is as the route declares, for ${caller ?? 'somebody without a token'}`, async () => {
      await using server = await smallServer(routes);
      const headers = caller === undefined ? {} : { authorization: `Bearer ${caller}` };
      const answers = await Promise.all(kinds.map((access) => server.app.inject({ url: `/${access}`, headers })));
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        expected,
      );
      for (const answer of answers) {
        const detail = answer.statusCode === 200 ? undefined : answer.json().detail;
        if (answer.statusCode === 401) {
          assert.equal(answer.headers['www-authenticate'], 'Bearer');
          assert.equal(detail, caller === undefined ? 'Not authenticated' : 'Could not validate credentials');
        }
        if (answer.statusCode === 403) assert.match(detail, /^(Admin|Instructor) access required$/);
      }
    });
  }

  it('to the catalogue is public if configured, but not with an invalid token', async () => {
    await using server = await smallServer(routes, { ANONYMOUS_CATALOGUE: 'true' });
    const status = async (path: string, authorization?: string) =>
      (await server.app.inject({ url: path, headers: authorization === undefined ? {} : { authorization } }))
        .statusCode;
    assert.deepEqual([await status('/catalogue'), await status('/user'), await status('/admin')], [200, 401, 401]);
    assert.deepEqual(
      [await status('/catalogue', 'Bearer nobody'), await status('/catalogue', 'Bearer student')],
      [401, 200],
    );
    assert.equal(
      (await server.app.inject({ url: '/catalogue', headers: { authorization: 'Bearer student' } })).json().username,
      'student',
    );
  });

  it('accepts a bearer token in the form of RFC 6750', () => {
    for (const header of ['Bearer abc', 'bearer abc', 'BEARER   abc', 'Bearer abc  '])
      assert.equal(bearerToken(header), 'abc', header);
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'abc',
      'Basic abc',
      'Bearer a b',
      'Bearerabc',
      'Token abc',
    ]) {
      assert.equal(bearerToken(header), undefined, String(header));
    }
  });
});
