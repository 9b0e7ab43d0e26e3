import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { settings as words } from '../../web/src/strings/en/administration/settings.ts';
import { TestServer, type TestUser } from '../server.ts';

const shown = { name: null, logo_url: null, colors: null, welcome: '', has_public_courses: false };
const plain = { ...shown, has_mail: false, has_passkeys: false, course_creators: 'instructors' };
const picture = async (width: number, height: number): Promise<Buffer> =>
  await sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })
    .png()
    .toBuffer();

describe('the settings of the installation', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const change = (json: object) => server.put('/api/admin/site', admin.token, json);
  const page = async () => (await server.request('GET', '/', { headers: { accept: 'text/html' } })).text;
  const entries = async () =>
    (await server.get('/api/admin/activity?type=admin_site_update', admin.token)).body as {
      details: { old: object; new: object };
      actor_id: number;
    }[];
  async function upload(content: Buffer | string): ReturnType<TestServer['request']> {
    const body = new FormData();
    body.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), 'logo.png');
    return await server.request('PUT', '/api/admin/site/logo', { token: admin.token, body });
  }

  it('are unset at first, and named with those of the environment', async () => {
    assert.deepEqual((await server.get('/api/site')).body, plain);
    const { status, body } = await server.get('/api/admin/site', admin.token);
    assert.equal(status, 200);
    const { environment, ...rest } = body;
    assert.deepEqual(rest, {
      ...plain,
      accent: null,
      second_factor_roles: [],
      has_recording_consent: false,
      has_kept_results: false,
      ...{ activity_days: null, work_days: null, account_days: null },
    });
    const values = new Map(environment.map(({ name, value }: { name: string; value: string }) => [name, value]));
    assert.deepEqual([values.get('REGISTRATION'), values.get('RECORDING_DAYS')], ['open', '30']);
    assert.ok(!JSON.stringify(environment).includes('SECRET'));
    assert.deepEqual([...values.keys()].sort(), Object.keys(words.variables).sort(), 'the page has a word for each');
  });

  it('change where they are given, with an entry for each change', async () => {
    const given = { name: '  School\n of "Unix" ', accent: '#FFEE00', welcome: '# Hello\n\nDear *students*' };
    const { status, body, text } = await change(given);
    assert.equal(status, 200, text);
    assert.deepEqual([body.name, body.accent, body.welcome], ['School of "Unix"', '#ffee00', given.welcome]);
    assert.notEqual(body.colors.light.accent, '#ffee00', 'yellow cannot be read on white');
    assert.equal(body.colors.dark.accent, '#ffee00');
    const { accent } = body;
    const site = (await server.get('/api/site')).body;
    assert.deepEqual(site, Object.fromEntries(Object.keys(plain).map((name) => [name, body[name]])));
    assert.deepEqual((await change({})).body, body);
    assert.deepEqual((await change({ accent: '#ffee00' })).body, body);
    const [entry, ...others] = await entries();
    assert.equal(others.length, 0, 'what changes nothing has no entry');
    assert.equal(entry?.actor_id, admin.id);
    assert.deepEqual(entry?.details.new, { name: 'School of "Unix"', accent, welcome: given.welcome });
    assert.deepEqual((await change({ name: ' ', accent: null, welcome: '' })).body.colors, null);
    assert.deepEqual((await server.get('/api/site')).body, plain);
  });

  it('are refused where they are too long or no colour', async () => {
    const refused: [object, string, string][] = [
      [{ name: 'x'.repeat(61) }, 'name', 'string_too_long'],
      [{ name: 5 }, 'name', 'string_type'],
      [{ welcome: 'x'.repeat(2001) }, 'welcome', 'string_too_long'],
      [{ welcome: null }, 'welcome', 'string_type'],
      [{ accent: 'red' }, 'accent', 'string_pattern_mismatch'],
      [{ accent: '#12345' }, 'accent', 'string_pattern_mismatch'],
      [{ has_public_courses: 'perhaps' }, 'has_public_courses', 'bool_parsing'],
    ];
    for (const [json, field, type] of refused) {
      const { status, code, body } = await change(json);
      assert.deepEqual(
        [status, code, body.detail[0].loc, body.detail[0].type],
        [422, 'validation', ['body', field], type],
      );
    }
    assert.deepEqual((await server.get('/api/site')).body, plain);
  });

  it('have a tag, which changes with them', async () => {
    const first = await server.get('/api/site');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await server.request('GET', '/api/site', { headers })).status, 304);
    await change({ name: 'Tagged' });
    assert.equal((await server.request('GET', '/api/site', { headers })).status, 200);
    await change({ name: null });
  });

  it('are in the document of the pages, escaped', async () => {
    const before = await page();
    assert.doesNotMatch(before, /data-site|site-colors/);
    await change({ name: 'A"><script>1</script>$&', accent: '#0000ff', welcome: 'Hello "you" & <b>' });
    const text = await page();
    assert.match(text, /<title>A&quot;&gt;&lt;script&gt;1&lt;\/script&gt;\$&amp;<\/title>/);
    assert.match(text, /data-site-name="A&quot;&gt;&lt;script&gt;1/);
    assert.match(text, /data-site-welcome="Hello &quot;you&quot; &amp; &lt;b&gt;"/);
    assert.match(text, /<style id="site-colors">:root\{--accent:#0000ff;/);
    assert.match(text, /<p data-product>A&quot;/);
    assert.equal([...text.matchAll(/<script>/g)].length, [...before.matchAll(/<script>/g)].length);
    await change({ name: null, accent: null, welcome: '' });
    assert.equal(await page(), before);
  });

  it('open the list of courses', async () => {
    assert.equal((await server.get('/api/catalogue')).status, 404);
    await change({ has_public_courses: true });
    assert.equal((await server.get('/api/catalogue')).status, 200);
    assert.match(await page(), /<html data-has-front-page /);
    await change({ has_public_courses: false });
    assert.equal((await server.get('/api/catalogue')).status, 404);
  });

  it('have a logo, which is stored whole and without what it does not show', async () => {
    const { status, body, text } = await upload(await picture(1000, 200));
    assert.equal(status, 200, text);
    const logo = await server.get(body.logo_url);
    const { format, width, height, hasAlpha } = await sharp(logo.bytes).metadata();
    assert.deepEqual({ format, width, height, hasAlpha }, { format: 'webp', width: 512, height: 102, hasAlpha: true });
    assert.equal(logo.headers.get('content-type'), 'image/webp');
    assert.equal(logo.headers.get('x-content-type-options'), 'nosniff');
    assert.match(await page(), new RegExp(`<img src="${body.logo_url}".*`));
    await server.application.profiles.removeOrphans();
    const second = await upload(await picture(20, 20));
    const small = await sharp((await server.get(second.body.logo_url)).bytes).metadata();
    assert.deepEqual([small.width, small.height], [20, 20], 'a small one is not enlarged');
    assert.equal((await server.get(body.logo_url)).status, 404, 'the file before is deleted');
    const removed = await server.delete('/api/admin/site/logo', admin.token);
    assert.deepEqual([removed.status, removed.body.logo_url], [200, null]);
    assert.equal((await server.delete('/api/admin/site/logo', admin.token)).status, 200);
    assert.deepEqual(await readdir(join(server.dataDir, 'avatars')), []);
  });

  it('refuse a logo that is no picture, too large or missing', async () => {
    const svg = await upload('<svg xmlns="http://www.w3.org/2000/svg"/>');
    assert.deepEqual([svg.status, svg.code], [415, 'not_a_picture']);
    const damaged = await upload((await picture(9, 9)).subarray(0, 40));
    assert.deepEqual([damaged.status, damaged.code], [422, 'validation']);
    const json = await server.put('/api/admin/site/logo', admin.token, {});
    assert.equal(json.status, 415);
    const large = await upload(Buffer.alloc(5 * 1024 * 1024 + 1));
    assert.equal(large.status, 413);
    const body = new FormData();
    body.append('other', 'text');
    assert.equal((await server.request('PUT', '/api/admin/site/logo', { token: admin.token, body })).status, 422);
    assert.equal((await server.get('/api/site')).body.logo_url, null);
  });
});

it('cannot close a list of courses that the environment opens', async () => {
  await using server = await TestServer.start({ CATALOGUE_IS_OPEN: 'true' });
  const admin = await server.user('admin');
  await server.put('/api/admin/site', admin.token, { has_public_courses: false });
  assert.equal((await server.get('/api/site')).body.has_public_courses, true);
  assert.equal((await server.get('/api/catalogue')).status, 200);
});
