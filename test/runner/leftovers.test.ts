import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';

const url = (name: string): string => import.meta.resolve(`../${name}.ts`);

/** A test file that forgets to close a server. */
const openServer = `
import { createServer } from 'node:net';
import { test } from 'node:test';
test('passes', () => void createServer().listen(0, '127.0.0.1'));
`;

/** A test that waits for a program forever. */
const hangingTest = `
import { spawn } from 'node:child_process';
import { it } from 'node:test';
it('waits', () => new Promise(() => spawn('sleep', ['2.25'])));
`;

/** Tests of a service that has written to its log. */
const loggingTests = `
import { describe, it } from 'node:test';
import { recentLog } from '${url('recent-log')}';
describe('a service', () => {
  it('works', () => recentLog.write('of another test\\n'));
  it('breaks', () => {
    recentLog.write('the cause\\n');
    throw new Error('an answer');
  });
});
`;

/** Runs a test file in a process with `leftovers.ts`. */
async function runFile(content: string, patience: NodeJS.ProcessEnv = {}): Promise<{ stderr: string; code: unknown }> {
  const folder = await mkdtemp(join(tmpdir(), 'leftovers-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const file = join(folder, 'example.mjs');
  await writeFile(file, content);
  const { RELIABILITY_ROUNDS: _rounds, ...own } = process.env;
  const env = { ...own, ...patience, TEST_LEFTOVERS_MS: '200', NODE_TEST_CONTEXT: 'child' };
  const child = spawn(process.execPath, [`--import=${url('leftovers')}`, file], { env });
  child.stdout.resume();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { stderr, code };
}

it('a process that stays alive after its tests is reported, and ends as failed', async () => {
  const { stderr, code } = await runFile(openServer);
  assert.match(stderr, /has run its tests, and is kept alive by: .*TCPSERVERWRAP/i);
  assert.equal(code, 1);
});

it('a test that does not end is named with what it waits for, and its process ends as failed', async () => {
  const { stderr, code } = await runFile(hangingTest, { TEST_PATIENCE_MS: '500' });
  assert.match(stderr, /has waited 0\.5 s for "waits", with: .*sleep 2\.25/);
  assert.equal(code, 1);
});

it('the log of the services is printed for the test that fails', async () => {
  const { stderr } = await runFile(loggingTests);
  assert.match(stderr, /log of the services before "a service > breaks" failed:\n\S+ the cause\n/);
  assert.doesNotMatch(stderr, /of another test/);
});
