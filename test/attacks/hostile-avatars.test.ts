import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { blankPng, pngChunk, pngSignature } from '../blank-png.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

const bomb = deflateSync(Buffer.alloc(200_000_000, 'x'));
const end = pngChunk('IEND', Buffer.alloc(0));
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';

/** A PNG with any header. */
function pngOf(width: number, height: number, { depth = 1, colour = 0, data = deflateSync(Buffer.alloc(100)) } = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour], 8);
  return Buffer.concat([pngSignature, pngChunk('IHDR', header), pngChunk('IDAT', data), end]);
}

function gifOf(width: number, height: number, frames = 1): Buffer {
  const header = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7)]);
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  header[10] = 0x80;
  const palette = Buffer.from([0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x44, 1, 0]);
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([header, palette, ...Array(frames).fill(frame), Buffer.from([0x3b])]);
}

/** A JPEG with any frame header. */
async function jpegOf(width: number, height: number): Promise<Buffer> {
  const whole = await sharp(blankPng(16)).jpeg().toBuffer();
  const start = whole.indexOf(Buffer.from([0xff, 0xc0]));
  whole.writeUInt16BE(height, start + 5);
  whole.writeUInt16BE(width, start + 7);
  return whole;
}

async function pictures(): Promise<Record<string, { file: Buffer; status: number; name?: string }>> {
  const whole = blankPng(100);
  const webp = await sharp(whole).webp().toBuffer();
  const lying = Buffer.from(webp);
  lying.writeUInt32LE(0xfffffff0, 4);
  const wrong = Buffer.from(whole);
  wrong.writeUInt32BE(0, 29);
  const exif = Buffer.concat([
    Buffer.from([0xff, 0xe1, 0xff, 0xff]),
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08\xff\xff', 'latin1'),
  ]);
  const jpeg = await sharp(whole).jpeg().toBuffer();
  const text = (content: string) => ({ file: Buffer.from(content, 'latin1'), status: 415 });
  return {
    'an SVG with a script': { ...text(svg), name: 'picture.svg' },
    'an SVG behind an XML line, called PNG': text(`<?xml version="1.0"?>${svg}`),
    'an SVG of entities without end': text(
      `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(999)}"><!ENTITY b "&a;&a;&a;">]>${svg}`,
    ),
    'an SVG that reads a file': text('<svg xmlns:xlink="x"><image xlink:href="file:///etc/passwd"/></svg>'),
    'a page': text('<!DOCTYPE html><script>alert(1)</script>'),
    'a PDF': text('%PDF-1.7\n1 0 obj\n'),
    PostScript: text('%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file\n'),
    'commands for a painter': text('push graphic-context\nimage over 0,0 0,0 "|touch /tmp/x"\n'),
    'a program': text('\x7fELF\x02\x01\x01'),
    'an archive': text('PK\x03\x04'),
    'a bitmap': text('BM\x46\0\0\0\0\0\0\0\x36\0\0\0'),
    'an AVIF': text('\0\0\0 ftypavif\0\0\0\0avifmif1'),
    'a TIFF': { file: await sharp(whole).tiff().toBuffer(), status: 415 },
    'one letter': text('G'),
    nothing: { file: Buffer.alloc(0), status: 422 },
    'a page behind the first bytes of a GIF': { ...text('GIF89a<script>alert(1)</script>'), status: 422 },
    'the first bytes of a PNG': { file: pngSignature, status: 422 },
    'half a PNG': { file: whole.subarray(0, whole.length / 2), status: 422 },
    'half a JPEG': { file: jpeg.subarray(0, jpeg.length / 2), status: 422 },
    'half a WebP': { file: webp.subarray(0, webp.length / 2), status: 422 },
    'a PNG of no size': { file: pngOf(0, 0), status: 422 },
    'a PNG of the largest size': { file: pngOf(0x7fffffff, 0x7fffffff), status: 422 },
    'a PNG of 900 megapixels in 110 KB': { file: blankPng(30_000), status: 413 },
    'a PNG with 200 MB behind few pixels': { file: pngOf(10, 10, { data: bomb }), status: 422 },
    'a PNG with 200 MB of text': {
      file: blankPng(100, pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), bomb]))),
      status: 200,
    },
    'a PNG with a colour profile of 200 MB': {
      file: blankPng(100, pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), bomb]))),
      status: 200,
    },
    'a PNG with a wrong checksum': { file: wrong, status: 422 },
    'a PNG without pixels': { file: Buffer.concat([whole.subarray(0, 33), end]), status: 422 },
    'a PNG of a depth that there is not': { file: pngOf(10, 10, { depth: 7, colour: 5 }), status: 422 },
    'a GIF of 4 gigapixels': { file: gifOf(65_535, 65_535), status: 413 },
    'a GIF of 50,000 frames': { file: gifOf(1, 1, 50_000), status: 200 },
    'a JPEG of 4 gigapixels': { file: await jpegOf(65_500, 65_500), status: 413 },
    'a JPEG with metadata that lead nowhere': {
      file: Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]),
      status: 422,
    },
    'a WebP that lies about its length': { file: lying, status: 422 },
    'a picture with a page behind it': {
      file: Buffer.concat([whole, Buffer.from('<script>alert(1)</script>')]),
      status: 200,
    },
    'a picture with a path for a name': { file: whole, status: 200, name: '../../../../tmp/x.png' },
  };
}

describeLong('a hostile picture', () => {
  let server: TestServer;
  let user: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    user = await server.user();
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('is refused or encoded again without its payload, in little time and memory: 36 of them', async () => {
    const hostile = Object.entries(await pictures());
    assert.equal(hostile.length, 36);
    const folder = join(server.dataDir, 'avatars');
    const before = process.memoryUsage().rss;
    for (const [what, { file, status, name = 'picture.png' }] of hostile) {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(file)]), name);
      const cpu = process.cpuUsage();
      const answer = await server.request('POST', '/api/profile/avatar', { token: user.token, body });
      const { user: computing, system } = process.cpuUsage(cpu);
      assert.equal(answer.status, status, `${what}: ${answer.text}`);
      assert.ok((computing + system) / 1e6 < 3, `${what}: ${computing + system} µs of computing`);
      if (status !== 200) continue;
      const made = await server.get(answer.body.avatar_url);
      assert.equal(made.headers.get('content-type'), 'image/webp');
      assert.ok(!made.bytes.includes('script') && made.bytes.length < 10_000, what);
      const { width, height, format, pages = 1 } = await sharp(made.bytes).metadata();
      assert.deepEqual([width, height, format, pages], [256, 256, 'webp', 1], what);
    }
    const grown = (process.memoryUsage().rss - before) / 1e6;
    assert.ok(grown < 200, `${grown} MB`);
    const files = await readdir(folder);
    assert.ok(files.length === 1 && /^[0-9a-f]{40}\.webp$/.test(files[0] ?? ''), `${files}`);
    assert.equal((await server.get('/api/auth/me', user.token)).status, 200);
  });
});
