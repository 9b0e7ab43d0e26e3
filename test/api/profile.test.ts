import assert from 'node:assert/strict';
import { readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { sql } from 'kysely';
import sharp, { type Sharp } from 'sharp';
import { blankPng, pngChunk } from '../blank-png.ts';
import { type Answer, TestServer, type TestUser, told } from '../server.ts';

type Colour = [red: number, green: number, blue: number];
const red: Colour = [255, 0, 0];
const green: Colour = [0, 255, 0];
const blue: Colour = [0, 0, 255];

/** Vertical stripes of equal width. */
function stripes(width: number, height: number, ...colours: Colour[]): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < width * height; index += 1) {
    const colour = colours[Math.floor(((index % width) * colours.length) / width)] ?? red;
    pixels.set(colour, index * 3);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Frames of one colour each. */
function animation(...colours: Colour[]): Sharp {
  const side = 40;
  const pixels = Buffer.concat(colours.map((colour) => Buffer.alloc(side * side * 3, Buffer.from(colour))));
  return sharp(pixels, { raw: { width: side, height: side * colours.length, channels: 3, pageHeight: side } });
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<Colour> {
  const data = await sharp(picture).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  return [data[0] ?? 0, data[1] ?? 0, data[2] ?? 0];
}

function assertColour(actual: Colour, expected: Colour, what: string): void {
  const isNear = actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 60);
  assert.ok(isNear, `${what}: ${actual} is not ${expected}`);
}

const valueError = (msg: string) => [{ loc: ['body', 'file'], msg: `Value error, ${msg}`, type: 'value_error' }];
const fieldMissing = [{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }];

describe('profiles', () => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    server = await TestServer.start();
    folder = join(server.dataDir, 'avatars');
  });
  after(() => server[Symbol.asyncDispose]());

  const avatarFiles = async () => (await readdir(folder).catch(() => [])).sort();

  async function send(user: TestUser, ...parts: [field: string, content: Buffer | string, name?: string][]) {
    const body = new FormData();
    for (const [field, content, name = 'picture.png'] of parts) {
      if (typeof content === 'string') body.append(field, content);
      else body.append(field, new Blob([new Uint8Array(content)]), name);
    }
    return await server.request('POST', '/api/profile/avatar', { token: user.token, body });
  }

  async function download(path: string): Promise<{ response: Answer; bytes: Buffer }> {
    const response = await server.get(path);
    return { response, bytes: response.bytes };
  }

  /** The stored picture of an upload. */
  async function pictureOf(answer: Answer): Promise<Buffer> {
    assert.equal(answer.status, 200, answer.text);
    const { response, bytes } = await download(answer.body.avatar_url);
    assert.equal(response.status, 200);
    return bytes;
  }

  describe('reading and changing', () => {
    it('shows the user and the text about them', async () => {
      const user = await server.user();
      const me = (await server.get('/api/auth/me', user.token)).body;
      const { status, body } = await server.get('/api/profile/me', user.token);
      assert.equal(status, 200);
      assert.deepEqual(body, { ...me, bio: '', has_password: true });
    });

    it('changes only the given fields', async () => {
      const user = await server.user();
      const given = { full_name: 'Ada Lovelace', email: 'ada@example.org', bio: 'Numbers.\nAnd more: ∑ 🚀' };
      const changed = await server.put('/api/profile/me', user.token, given);
      assert.equal(changed.status, 200);
      const { full_name, email, bio } = changed.body;
      assert.deepEqual({ full_name, email, bio }, given);
      const again = await server.put('/api/profile/me', user.token, { bio: '' });
      assert.deepEqual(again.body, { ...changed.body, bio: '' });
      const cleared = await server.put('/api/profile/me', user.token, { full_name: null });
      assert.deepEqual(cleared.body, { ...again.body, full_name: null });
      assert.deepEqual((await server.put('/api/profile/me', user.token, {})).body, cleared.body);
      assert.deepEqual((await server.get('/api/profile/me', user.token)).body, cleared.body);
      assert.equal((await server.get('/api/auth/me', user.token)).body.email, given.email);
      const json = { username: given.email, password: user.password };
      assert.equal((await server.post('/api/auth/login', undefined, json)).status, 200);
    });

    it("refuses another user's address in any case, and accepts the own address", async () => {
      const [user, other] = [await server.user(), await server.user()];
      const taken = await server.put('/api/profile/me', user.token, { email: other.email.toUpperCase(), bio: 'new' });
      assert.deepEqual(
        [taken.status, taken.code, taken.body],
        [400, 'email_taken', { detail: 'Email already registered' }],
      );
      const { email, bio } = (await server.get('/api/profile/me', user.token)).body;
      assert.deepEqual([email, bio], [user.email, '']);
      const own = await server.put('/api/profile/me', user.token, { email: user.email.toUpperCase() });
      assert.deepEqual([own.status, own.body.email], [200, user.email.toUpperCase()]);
    });

    it('gives an address to one of two concurrent users', async () => {
      const users = [await server.user(), await server.user()];
      const answers = await Promise.all(
        users.map(({ token }) => server.put('/api/profile/me', token, { email: 'the.one@example.com' })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    });

    it('keeps an address at a reserved domain, which only an administrator can set', async () => {
      const [user, admin] = [await server.user(), await server.user('admin')];
      const email = 'ada@school.lan';
      assert.equal((await server.put('/api/profile/me', user.token, { email })).status, 422);
      const set = await server.put(`/api/admin/users/${user.id}`, admin.token, { email });
      assert.deepEqual([set.status, set.body.email], [200, email], set.text);
      const saved = await server.put('/api/profile/me', user.token, { email: 'Ada@School.LAN', bio: 'new' });
      assert.deepEqual([saved.status, saved.body.email, saved.body.bio], [200, 'Ada@School.LAN', 'new'], saved.text);
      assert.equal((await server.put('/api/profile/me', user.token, { email: 'b@school.lan' })).status, 422);
      const own = await server.put('/api/profile/me', admin.token, { email: 'root@school.internal' });
      assert.equal(own.status, 200, own.text);
    });

    it('refuses invalid fields', async () => {
      const { token } = await server.user();
      const refused: [object, string, string][] = [
        [{ email: 'nobody' }, 'email', 'value_error'],
        [{ email: 'a@b.test' }, 'email', 'value_error'],
        [{ email: null }, 'email', 'string_type'],
        [{ bio: 'x'.repeat(2001) }, 'bio', 'string_too_long'],
        [{ bio: null }, 'bio', 'string_type'],
        [{ bio: 'a\0b' }, 'bio', 'value_error'],
        [{ full_name: 'x'.repeat(201) }, 'full_name', 'string_too_long'],
        [{ full_name: 5 }, 'full_name', 'string_type'],
      ];
      for (const [json, field, type] of refused) {
        const { status, body } = await server.put('/api/profile/me', token, json);
        assert.equal(status, 422, JSON.stringify(json).slice(0, 80));
        assert.deepEqual([body.detail[0].loc, body.detail[0].type], [['body', field], type]);
      }
      const longest = await server.put('/api/profile/me', token, {
        bio: '🚀'.repeat(2000),
        full_name: '🚀'.repeat(200),
      });
      assert.equal(longest.status, 200);
    });

    it('takes back fields that can only be read as they are, refuses other values, and ignores what nobody can set', async () => {
      const user = await server.user();
      const read = (await server.get('/api/profile/me', user.token)).body;
      for (const [name, value] of Object.entries({
        ...{ role: 'admin', id: 1, username: 'root', is_active: false, avatar_url: '/avatars/x.webp' },
        ...{ created_at: '2020-01-01T00:00:00.000Z', last_login_at: '2020-01-01T00:00:00.000Z' },
      })) {
        const refused = await server.put('/api/profile/me', user.token, { bio: 'no', [name]: value });
        const item = {
          loc: ['body', name],
          msg: 'Value error, the field can be read here, and not changed',
          type: 'read_only',
        };
        assert.deepEqual([refused.status, refused.body], [422, { detail: [item] }]);
      }
      assert.deepEqual((await server.get('/api/profile/me', user.token)).body, read, 'nothing was changed');
      const beyond = { ...read, password_hash: 'x', avatar_key: 'a', bio: 'me' };
      const { status, body } = await server.put('/api/profile/me', user.token, beyond);
      assert.equal(status, 200);
      const { id, username, role, is_active, avatar_url, bio } = body;
      assert.deepEqual(
        [id, username, role, is_active, avatar_url, bio],
        [user.id, user.username, 'student', true, null, 'me'],
      );
      assert.ok(!('password_hash' in body) && !('avatar_key' in body));
    });

    it('accepts only JSON, with a token', async () => {
      const { token } = await server.user();
      const body = new FormData();
      body.append('bio', 'x');
      assert.equal((await server.request('PUT', '/api/profile/me', { token, body })).status, 415);
      for (const [method, path] of [
        ['GET', '/api/profile/me'],
        ['PUT', '/api/profile/me'],
        ['POST', '/api/profile/avatar'],
        ['DELETE', '/api/profile/avatar'],
      ] as const) {
        const answer = await server.request(method, path);
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [401, 'unauthorized', { detail: 'Not authenticated' }],
        );
      }
    });
  });

  describe('pictures', () => {
    it('become a square WebP of 256 x 256 from each format, with any name', async () => {
      const user = await server.user();
      const source = stripes(300, 100, red, green, blue);
      const files: Record<string, Buffer> = {
        png: await source.clone().png().toBuffer(),
        jpeg: await source.clone().jpeg().toBuffer(),
        webp: await source.clone().webp().toBuffer(),
        gif: await source.clone().gif().toBuffer(),
      };
      for (const [format, bytes] of Object.entries(files)) {
        const picture = await pictureOf(await send(user, ['file', bytes, 'letter.txt']));
        const { width, height, format: made } = await sharp(picture).metadata();
        assert.deepEqual([width, height, made], [256, 256, 'webp'], format);
        // The middle of three stripes is what a square cut out of the middle has.
        for (const left of [20, 128, 235])
          assertColour(await colourAt(picture, left, 128), green, `${format} at ${left}`);
      }
    });

    it('keep their transparency, and very small ones are enlarged', async () => {
      const user = await server.user();
      const clear = { width: 1, height: 1, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } };
      const picture = await pictureOf(await send(user, ['file', await sharp({ create: clear }).png().toBuffer()]));
      const { width, hasAlpha } = await sharp(picture).metadata();
      assert.deepEqual([width, hasAlpha], [256, true]);
    });

    it('show the first frame of an animation', async () => {
      const user = await server.user();
      for (const format of ['gif', 'webp'] as const) {
        const moving = await animation(red, green, blue)
          [format]({ delay: [100, 100, 100], loop: 0 })
          .toBuffer();
        assert.equal((await sharp(moving, { animated: true }).metadata()).pages, 3);
        const picture = await pictureOf(await send(user, ['file', moving]));
        assert.equal((await sharp(picture, { animated: true }).metadata()).pages ?? 1, 1);
        assertColour(await colourAt(picture, 128, 128), red, format);
      }
    });

    it('are upright, without location and camera', async () => {
      const user = await server.user();
      const photo = await stripes(200, 100, red, blue)
        .withExif({
          IFD0: { Make: 'Camera', Artist: 'A. Student' },
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '51/1 30/1 0/1',
            GPSLongitudeRef: 'W',
            GPSLongitude: '0/1 7/1 0/1',
          },
        })
        .withIccProfile('p3')
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer();
      const before = await sharp(photo).metadata();
      assert.equal(before.orientation, 6);
      assert.ok(before.exif?.includes('Camera') && before.icc);
      const picture = await pictureOf(await send(user, ['file', photo, 'photo.jpg']));
      const { exif, icc, xmp, iptc, orientation } = await sharp(picture).metadata();
      assert.deepEqual([exif, icc, xmp, iptc, orientation], [undefined, undefined, undefined, undefined, undefined]);
      for (const word of ['Exif', 'EXIF', 'Camera', 'Student', 'ICCP', 'XMP '])
        assert.ok(!picture.includes(word), word);
      // Turned to the right by a quarter, what was left is above.
      assertColour(await colourAt(picture, 128, 20), red, 'above');
      assertColour(await colourAt(picture, 128, 235), blue, 'below');
    });

    it('are refused before decoding if they are too large', async () => {
      const user = await server.user();
      const limit = server.config.avatars.maxBytes;
      const bytes = await send(user, ['file', Buffer.concat([blankPng(10), Buffer.alloc(6 * 1024 * 1024)])]);
      assert.deepEqual(
        [bytes.status, bytes.code, bytes.body],
        [413, 'file_too_large', { detail: `The file has more than ${limit} bytes` }],
      );
      const pixels = { detail: 'The picture has more than 40000000 pixels', code: 'picture_too_large' };
      const background = { r: 1, g: 2, b: 3 };
      const wide = sharp({ create: { width: 10_000, height: 5_000, channels: 3, background } });
      const fiftyMegapixels = await wide.jpeg().toBuffer();
      const bomb = blankPng(30_000);
      assert.ok(fiftyMegapixels.length < limit && bomb.length < limit);
      for (const file of [fiftyMegapixels, bomb]) {
        const begin = process.cpuUsage();
        const refused = await send(user, ['file', file]);
        const { user: computing, system } = process.cpuUsage(begin);
        assert.deepEqual([refused.status, told(refused)], [413, pixels]);
        assert.ok((computing + system) / 1000 < 500, `${computing + system} µs of computing`);
      }
      assert.equal((await server.get('/api/profile/me', user.token)).body.avatar_url, null);
    });

    it('of exactly the allowed size are accepted', async () => {
      const user = await server.user();
      assert.equal((await send(user, ['file', blankPng(6_324)])).status, 200);
      const whole = blankPng(10);
      const padding = Buffer.alloc(server.config.avatars.maxBytes - whole.length);
      assert.equal((await send(user, ['file', Buffer.concat([whole, padding])])).status, 200);
      const over = await send(user, ['file', Buffer.concat([whole, padding, Buffer.alloc(1)])]);
      assert.equal(over.status, 413);
    });

    it('with decompression bombs are refused', async () => {
      const user = await server.user();
      const hidden = deflateSync(Buffer.alloc(200_000_000, 'x'));
      const text = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), hidden]));
      const before = process.memoryUsage().rss;
      const { status } = await send(user, ['file', blankPng(100, text)]);
      assert.ok(status === 200 || status === 422, `${status}`);
      assert.ok(process.memoryUsage().rss - before < 150_000_000);
    });

    it('are refused with other content, with any name', async () => {
      const user = await server.user();
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';
      const html = '<!DOCTYPE html><html><script>alert(1)</script></html>';
      const tiff = await stripes(10, 10, red).tiff().toBuffer();
      const files: [Buffer, string][] = [
        [Buffer.from(svg), 'picture.svg'],
        [Buffer.from(`<?xml version="1.0"?>${svg}`), 'picture.png'],
        [Buffer.from(html), 'picture.png'],
        [Buffer.from('%PDF-1.7\n'), 'picture.jpg'],
        [tiff, 'picture.tiff'],
        [Buffer.from('G'), 'picture.gif'],
      ];
      for (const [file, name] of files) {
        const { status, code, body } = await send(user, ['file', file, name]);
        assert.deepEqual(
          [status, code, body],
          [415, 'not_a_picture', { detail: 'The file is not a PNG, JPEG, WebP or GIF picture' }],
          name,
        );
      }
    });

    it('are refused if they are damaged or empty', async () => {
      const user = await server.user();
      const damaged = valueError('the picture is damaged or not supported');
      const noise = Buffer.from(Array.from({ length: 90_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256));
      const source = sharp(noise, { raw: { width: 200, height: 150, channels: 3 } });
      for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
        const whole = await source.clone()[format]().toBuffer();
        for (const length of [20, Math.floor(whole.length / 2)]) {
          const { status, body } = await send(user, ['file', whole.subarray(0, length)]);
          assert.deepEqual([status, body.detail], [422, damaged], `${format}, ${length} of ${whole.length} bytes`);
        }
      }
      const html = Buffer.from('GIF89a<script>alert(1)</script>');
      assert.deepEqual((await send(user, ['file', html])).body, { detail: damaged });
      const empty = await send(user, ['file', Buffer.alloc(0)]);
      assert.deepEqual([empty.status, empty.body.detail], [422, valueError('the file is empty')]);
    });

    it('are read once from a field of any name of a multipart body', async () => {
      const user = await server.user();
      const png = blankPng(10);
      const refused: [Parameters<typeof send>[1][], object][] = [
        [[['other', 'x']], fieldMissing],
        [[['file', 'a text']], valueError('a file is expected, with a file name')],
        [[['file', png], ['file', png]], valueError('one file is expected')],
        [[['file', png], ['picture', png]], valueError('one file is expected')],
      ]; // biome-ignore format: one line each
      for (const [parts, detail] of refused) {
        const { status, body } = await send(user, ...parts);
        assert.deepEqual([status, body.detail], [422, detail]);
      }
      for (const name of ['file', 'picture', 'avatar', 'image', ''])
        assert.equal((await send(user, ['comment', 'mine'], [name, png])).status, 200, name);
      const { token } = user;
      const upload = (headers: Record<string, string>, body: string) =>
        server.request('POST', '/api/profile/avatar', { token, headers, body });
      const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
      const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc';
      const answers: [Answer, number, string][] = [
        [await upload({ 'content-type': 'image/png' }, 'x'), 415, 'Unsupported Media Type: send multipart/form-data'],
        [
          await upload({ 'content-type': 'application/json' }, '{"file":"x"}'),
          415,
          'Unsupported Media Type: send multipart/form-data',
        ],
        [await server.post('/api/profile/avatar', token), 415, 'Unsupported Media Type: send multipart/form-data'],
        [await upload(multipart, cut), 400, 'The multipart body is not valid'],
        [await upload({ 'content-type': 'multipart/form-data' }, cut), 400, 'The multipart body is not valid'],
      ];
      for (const [answer, status, detail] of answers) {
        assert.deepEqual(
          [answer.status, told(answer)],
          [status, { detail, code: status === 415 ? 'unsupported_media_type' : 'bad_request' }],
        );
      }
      assert.deepEqual((await upload(multipart, '--x--\r\n')).body, { detail: fieldMissing });
    });
  });

  describe('addresses of pictures', () => {
    it('cannot be guessed, change with each picture, and are cached permanently', async () => {
      const user = await server.user();
      const first = (await send(user, ['file', blankPng(10)])).body.avatar_url;
      const second = (await send(user, ['file', blankPng(10)])).body.avatar_url;
      assert.match(first, /^\/avatars\/[0-9a-f]{40}\.webp$/);
      assert.notEqual(first, second);
      assert.equal((await download(first)).response.status, 404);
      const { response } = await download(second);
      assert.equal(response.headers.get('content-type'), 'image/webp');
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
      const tag = response.headers.get('etag') ?? '';
      const known = await server.request('GET', second, { headers: { 'if-none-match': tag } });
      assert.deepEqual([known.status, known.text], [304, '']);
      assert.equal((await server.get('/api/profile/me', user.token)).body.avatar_url, second);
    });

    it('do not lead to other files', async () => {
      await writeFile(join(server.dataDir, 'secret.webp'), 'secret');
      const zeros = '0'.repeat(40);
      for (const path of [
        `${zeros}.webp`,
        `${zeros}.png`,
        zeros,
        '..%2Fsecret.webp',
        '..%2F..%2Fsecret.webp',
        '%2e%2e/secret.webp',
        '%00.webp',
        `${zeros}.webp%00`,
        `${zeros.toUpperCase()}A.webp`,
        '',
      ]) {
        const { response, bytes } = await download(`/avatars/${path}`);
        assert.ok([404, 422].includes(response.status), `${path}: ${response.status}`);
        assert.ok(!bytes.includes('secret'), path);
        assert.equal(response.headers.get('cache-control'), null);
      }
    });

    it('is removed with its user', async () => {
      const [admin, leaver] = [await server.user('admin'), await server.user()];
      const { avatar_url } = (await send(leaver, ['file', blankPng(10)])).body;
      assert.equal((await server.delete(`/api/admin/users/${leaver.id}`, admin.token)).status, 200);
      assert.equal((await download(avatar_url)).response.status, 404);
      assert.ok(!(await avatarFiles()).includes(avatar_url.slice('/avatars/'.length)));
    });

    it('are removed with the picture', async () => {
      const user = await server.user();
      const address = (await send(user, ['file', blankPng(10)])).body.avatar_url;
      const removed = await server.delete('/api/profile/avatar', user.token);
      assert.deepEqual([removed.status, removed.body.avatar_url], [200, null]);
      assert.equal((await download(address)).response.status, 404);
      assert.deepEqual((await server.delete('/api/profile/avatar', user.token)).body, removed.body);
    });
  });

  describe('files of pictures', () => {
    const without = async (known: string[]) => (await avatarFiles()).filter((name) => !known.includes(name));

    it('are one per user, even after concurrent uploads', async () => {
      const user = await server.user();
      const known = await avatarFiles();
      const answers = await Promise.all(Array.from({ length: 6 }, () => send(user, ['file', blankPng(10)])));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200, 200],
      );
      const { avatar_url } = (await server.get('/api/profile/me', user.token)).body;
      assert.deepEqual(await without(known), [avatar_url.slice('/avatars/'.length)]);
      assert.equal((await download(avatar_url)).response.status, 200);
    });

    it('are unchanged when a new one cannot be written', async () => {
      const user = await server.user();
      const { avatar_url } = (await send(user, ['file', blankPng(10)])).body;
      await rename(folder, `${folder}.away`);
      await writeFile(folder, 'no folder');
      const failed = await send(user, ['file', blankPng(20)]);
      await rm(folder);
      await rename(`${folder}.away`, folder);
      assert.deepEqual(
        [failed.status, failed.code, failed.body],
        [503, 'storage_unavailable', { detail: 'The file cannot be stored now' }],
      );
      assert.ok(failed.headers.get('retry-after'));
      assert.equal((await server.get('/api/profile/me', user.token)).body.avatar_url, avatar_url);
      assert.equal((await download(avatar_url)).response.status, 200);
    });

    it('are unchanged when the database refuses the new one', async () => {
      const { db } = server.application;
      const user = await server.user();
      const { avatar_url } = (await send(user, ['file', blankPng(10)])).body;
      const known = await avatarFiles();
      await sql`alter table users add constraint nothing_new check (id <> ${sql.lit(user.id)} or avatar_key = ${sql.lit(avatar_url.slice(9, 49))})`.execute(
        db,
      );
      const failed = await send(user, ['file', blankPng(20)]);
      await sql`alter table users drop constraint nothing_new`.execute(db);
      assert.deepEqual(
        [failed.status, failed.code, failed.body],
        [500, 'internal', { detail: 'Internal Server Error' }],
      );
      assert.deepEqual(await avatarFiles(), known);
      assert.equal((await download(avatar_url)).response.status, 200);
    });

    it('are removed after their users, except recent ones', async () => {
      const { db, profiles } = server.application;
      const [kept, gone] = [await server.user(), await server.user()];
      const keptUrl = (await send(kept, ['file', blankPng(10)])).body.avatar_url;
      const goneUrl = (await send(gone, ['file', blankPng(10)])).body.avatar_url;
      await db.deleteFrom('users').where('id', '=', gone.id).execute();
      const unfinished = join(folder, `${'a'.repeat(40)}.${'b'.repeat(16)}.tmp`);
      const foreign = join(folder, 'README');
      await Promise.all([writeFile(unfinished, ''), writeFile(foreign, '')]);
      assert.equal(await profiles.removeOrphans(), 0);
      assert.equal((await download(goneUrl)).response.status, 200);
      const old = new Date(Date.now() - 2 * 3_600_000);
      for (const name of await avatarFiles()) await utimes(join(folder, name), old, old);
      assert.equal(await profiles.removeOrphans(), 1);
      assert.equal((await download(goneUrl)).response.status, 404);
      assert.equal((await download(keptUrl)).response.status, 200);
      const left = await avatarFiles();
      assert.ok(left.includes('README') && !left.some((name) => name.endsWith('.tmp')));
    });
  });
});
