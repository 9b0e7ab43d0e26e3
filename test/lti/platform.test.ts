import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { connectDatabase } from '../../src/database/connection/connect.ts';
import { TextSeal } from '../../src/database/sealed-text.ts';
import { KeyStore } from '../../src/features/lti/key-store.ts';
import { Keys } from '../../src/features/lti/keys.ts';
import { type Fetch, PlatformAccess } from '../../src/features/lti/platform-access.ts';
import type { PlatformRow } from '../../src/features/lti/platform-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { LtiPlatform, ltiRoles, ltiScopes, RefusedByPlatform } from './platform.ts';

const ada = { user_id: 'ada', name: 'Ada', email: 'ada@example.com', roles: [ltiRoles.learner] };
const send = fetch as unknown as Fetch;

describe('the counterpart platform of LTI', () => {
  let database: TestDatabase;
  let connection: ReturnType<typeof connectDatabase>;
  let platform: LtiPlatform;
  let keyServer: Server;
  let keys: Keys;
  let access: PlatformAccess;
  let row: PlatformRow;
  before(async () => {
    database = await createTestDatabase();
    const { address } = database;
    const limits = { maxConnections: 2, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
    connection = connectDatabase({ address, ...limits });
    keys = new Keys({ store: new KeyStore(connection.db), seal: new TextSeal('a secret key of this test') });
    keyServer = createServer((_, response) => {
      void keys.published().then((published) => response.end(JSON.stringify(published)));
    });
    await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve));
    platform = await LtiPlatform.listen();
    const tool = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}`;
    platform.tool = { login: `${tool}/login`, redirects: [`${tool}/launch`], keys: `${tool}/keys` };
    platform.people = [ada, ...Array.from({ length: 24 }, (_, index) => ({ ...ada, user_id: `student-${index}` }))];
    access = new PlatformAccess(keys, send);
    row = await connection.db
      .insertInto('lti_platforms')
      .values({
        ...{ name: 'School', issuer: platform.issuer, client_id: platform.clientId },
        ...{ authorization_url: platform.addresses.authorization, jwks_url: platform.addresses.keys },
        token_url: platform.addresses.token,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  after(async () => {
    await platform[Symbol.asyncDispose]();
    keyServer.closeAllConnections();
    keyServer.close();
    await connection.db.destroy();
    await database[Symbol.asyncDispose]();
  });

  const login = (begun: URLSearchParams, more: Record<string, string> = {}) =>
    new URLSearchParams({
      ...{ scope: 'openid', response_type: 'id_token', response_mode: 'form_post', prompt: 'none', nonce: 'n' },
      ...{ state: 's', client_id: platform.clientId, redirect_uri: begun.get('target_link_uri') ?? '' },
      ...{ login_hint: begun.get('login_hint') ?? '', lti_message_hint: begun.get('lti_message_hint') ?? '', ...more },
    });
  const refused = (status: number) => (error: unknown) => error instanceof RefusedByPlatform && error.status === status;

  it('launches once, for whom it began to, with a key that it publishes', async () => {
    await platform.rotateKey();
    const begun = platform.begin({ user: ada, link: 'link-1' });
    for (const name of ['redirect_uri', 'client_id', 'login_hint', 'lti_message_hint', 'response_mode', 'nonce'])
      await assert.rejects(platform.authorize(login(begun, { [name]: '' })), refused(400), name);
    const { fields } = await platform.authorize(login(begun));
    const options = { issuer: platform.issuer, audience: platform.clientId };
    const { payload } = await jwtVerify(fields.id_token, createRemoteJWKSet(new URL(platform.addresses.keys)), options);
    assert.equal(payload.sub, 'ada');
    await assert.rejects(platform.authorize(login(begun)), refused(400));
  });

  it('gives access tokens only for assertions of the tool, each once', async () => {
    const ask = async (assertion: string): Promise<number> => {
      const kind = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      const fields = { grant_type: 'client_credentials', client_assertion_type: kind, client_assertion: assertion };
      const body = new URLSearchParams({ ...fields, scope: ltiScopes.scores });
      return (await fetch(platform.addresses.token, { method: 'POST', body })).status;
    };
    const claims = { iss: platform.clientId, sub: platform.clientId, aud: platform.addresses.token };
    const assertion = await keys.sign(claims);
    assert.equal(await ask(assertion), 200);
    assert.equal(await ask(assertion), 401);
    assert.equal(await ask(await keys.sign({ ...claims, aud: 'another' })), 401);
    assert.equal(await ask(await platform.sign({ ...claims, jti: 'forged', iat: 1, exp: 9_999_999_999 })), 401);
  });

  it('lists members in pages, to a renewed token as well', async () => {
    const headers = { accept: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json' };
    const seen: string[] = [];
    let next: string | undefined = platform.addresses.members;
    while (next !== undefined) {
      const answer: Response = await access.request(row, [ltiScopes.members], next, { headers });
      assert.equal(answer.status, 200);
      const { members } = (await answer.json()) as { members: { user_id: string }[] };
      seen.push(...members.map(({ user_id }) => user_id));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      platform.revokeTokens();
    }
    assert.deepEqual(
      seen,
      platform.people.map(({ user_id }) => user_id),
    );
  });

  it('keeps the newest score, and fails as a test wants', async () => {
    const item = platform.addLineItem({ label: 'Laboratory', scoreMaximum: 10, resourceLinkId: 'link-1' });
    const score = async (scoreGiven: number, timestamp: string, to = item): Promise<Response> => {
      const graded = { activityProgress: 'Completed', gradingProgress: 'FullyGraded' };
      const body = JSON.stringify({ userId: 'ada', scoreGiven, scoreMaximum: 10, timestamp, ...graded });
      const headers = { 'content-type': 'application/vnd.ims.lis.v1.score+json' };
      const url = `${platform.lineItemUrl(to)}/scores`;
      return await access.request(row, [ltiScopes.scores], url, { method: 'POST', headers, body });
    };
    assert.equal((await score(5, '2026-01-01T00:00:00.500Z')).status, 200);
    for (const old of ['2026-01-01T00:00:00.500Z', '2026-01-01T00:00:00Z'])
      assert.equal((await score(1, old)).status, 409);
    assert.equal(platform.grade(item, 'ada'), 5);
    platform.failures = [
      { path: /scores$/, status: 503, headers: { 'retry-after': '120' } },
      { path: /scores$/, lost: 'after' },
    ];
    const busy = await score(6, '2026-01-02T00:00:00Z');
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '120']);
    await assert.rejects(score(6, '2026-01-02T00:00:00Z'));
    assert.equal(platform.grade(item, 'ada'), 6);
    platform.lineItems.delete(item);
    assert.equal((await score(7, '2026-01-03T00:00:00Z')).status, 404);
  });

  it('takes content that a teacher has chosen, once', async () => {
    const claim = (name: string) => `https://purl.imsglobal.org/spec/lti-dl/claim/${name}`;
    const begun = platform.begin({ user: { ...ada, roles: [ltiRoles.instructor] } });
    const { fields } = await platform.authorize(login(begun));
    const asked = JSON.parse(Buffer.from(fields.id_token.split('.')[1] ?? '', 'base64url').toString());
    const JWT = await keys.sign({
      ...{ iss: platform.clientId, aud: platform.issuer, nonce: 'once' },
      'https://purl.imsglobal.org/spec/lti/claim/message_type': 'LtiDeepLinkingResponse',
      'https://purl.imsglobal.org/spec/lti/claim/version': '1.3.0',
      'https://purl.imsglobal.org/spec/lti/claim/deployment_id': platform.deploymentId,
      [claim('data')]: asked[claim('deep_linking_settings')].data,
      [claim('content_items')]: [{ type: 'ltiResourceLink', lineItem: { label: 'Exam', scoreMaximum: 100 } }],
    });
    const bring = async () =>
      (await fetch(platform.addresses.deepLinks, { method: 'POST', body: new URLSearchParams({ JWT }) })).status;
    assert.equal(await bring(), 200);
    assert.equal(await bring(), 401);
    assert.equal(platform.chosen.length, 1);
    assert.ok([...platform.lineItems.values()].some(({ label }) => label === 'Exam'));
  });

  it('registers a tool once for a token', async () => {
    const { registration_token } = platform.offerRegistration();
    const { login: initiate_login_uri, redirects: redirect_uris, keys: jwks_uri } = platform.tool;
    const tool = {
      ...{ application_type: 'web', response_types: ['id_token'], grant_types: ['implicit', 'client_credentials'] },
      ...{ initiate_login_uri, redirect_uris, jwks_uri, token_endpoint_auth_method: 'private_key_jwt' },
      'https://purl.imsglobal.org/spec/lti-tool-configuration': {
        ...{ domain: 'tool.example.com', target_link_uri: redirect_uris[0], claims: ['iss', 'sub'] },
      },
    };
    const headers = { authorization: `Bearer ${registration_token}`, 'content-type': 'application/json' };
    const register = async () =>
      await fetch(platform.addresses.registration, { method: 'POST', headers, body: JSON.stringify(tool) });
    const answer = await register();
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { client_id: string }).client_id, platform.clientId);
    assert.equal((await register()).status, 401);
  });
});
