import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';

/** A test file that forgets to close a server. */
const example = `
import { createServer } from 'node:net';
import { test } from 'node:test';
test('passes', () => void createServer().listen(0, '127.0.0.1'));
`;

it('a process that stays alive after its tests is reported, and ends as failed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leftovers-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const file = join(folder, 'example.mjs');
  await writeFile(file, example);
  const env = { ...process.env, TEST_LEFTOVERS_MS: '200', NODE_TEST_CONTEXT: 'child' };
  const child = spawn(process.execPath, [`--import=${import.meta.resolve('../leftovers.ts')}`, file], { env });
  child.stdout.resume();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.match(stderr, /has run its tests, and is kept alive by: .*TCPSERVERWRAP/i);
  assert.equal(code, 1);
});
