import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { itLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';

/** The secret part of an Ed25519 key without a passphrase, in the forms in which it could leak. */
function tracesOf(key: string): (string | Buffer)[] {
  const body = key.replace(/-----[^-]+-----|\s/g, '');
  // PROTOCOL.key of OpenSSH: 161 bytes with names and twice the public part, then the 32 secret bytes. 4 characters are 3 bytes.
  const secret = Buffer.from(body, 'base64').subarray(161, 193);
  return [body.slice(216, 256), secret.toString('hex'), secret.toString('base64').slice(0, 40), secret];
}

// Long: the key is first used in every way, then searched for.
itLong(
  'the key of the lessons’ repository is in no log, answer, argument list, environment or file but its own',
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'platform-key-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const keyPath = join(folder, 'key');
    await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', keyPath]);
    const traces = tracesOf(await readFile(keyPath, 'utf8'));
    const found = (bytes: Buffer | string) => traces.filter((trace) => Buffer.from(bytes).includes(trace));
    assert.equal(found(await readFile(keyPath)).length, 1, 'what is searched for is in the key');

    // A server that never answers, so that the waiting processes can be inspected.
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    cleanup.defer(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    let log = '';
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        log += chunk;
        done();
      },
    });
    const { port } = silent.address() as { port: number };
    const env = { LESSONS_REPO_URL: `ssh://git@127.0.0.1:${port}/lessons.git`, LESSONS_SSH_KEY_PATH: keyPath };
    const outside = { engine: { reason: 'this test has none' }, log: pino({ level: 'trace', base: null }, stream) };
    await using server = await TestServer.start({ ...env, lessonsTimeoutSeconds: 20 }, outside, 1);
    const admin = await server.user('admin');
    const refresh = () => server.post('/api/lessons/refresh-repository', admin.token);

    await until(() => sockets.size > 0, 'ssh to ask for the repository');
    let sshs = 0;
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`).catch(() => Buffer.alloc(0));
      const line = await read('cmdline');
      assert.deepEqual([found(line), found(await read('environ'))], [[], []], line.toString());
      if (line.includes(keyPath)) sshs += 1;
    }
    assert.ok(sshs > 0, 'ssh was looked at');
    const pending = refresh();
    silent.on('connection', (socket) => socket.destroy());
    for (const socket of sockets) socket.destroy();
    const answers = [await pending];

    // An invalid key is reported.
    const broken = `canary-${randomBytes(20).toString('hex')}`;
    await writeFile(keyPath, `-----BEGIN OPENSSH PRIVATE KEY-----\n${broken}\n-----END OPENSSH PRIVATE KEY-----\n`);
    traces.push(broken, Buffer.from(broken).toString('base64').slice(0, -4));
    answers.push(await refresh());
    for (const answer of answers) {
      assert.equal(answer.status, 503);
      assert.deepEqual(found(answer.text), []);
    }
    assert.match(log, /lessons/);
    assert.deepEqual(found(log), []);
    let files = 0;
    for (const entry of await readdir(server.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      assert.deepEqual(found(await readFile(path)), [], path);
      files += 1;
    }
    assert.ok(files > 0);
  },
);
