import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import headless from '@xterm/headless';
import Docker from 'dockerode';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { isOnCluster } from '../cluster.ts';
import { asRoot, loseContainer } from '../engine-access.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser, testEngine, told } from '../server.ts';
import type { TestSettings } from '../settings.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const v1 = { protocol: 'terminal.v1' } as const;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What a terminal shows after these bytes, its scrollback included, without the empty lines at the end. */
async function drawn(bytes: Buffer, { cols = 80, rows = 24 } = {}): Promise<string[]> {
  const terminal = new headless.Terminal({ cols, rows, scrollback: 100_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: active.length },
    (_, index) => active.getLine(index)?.translateToString(true) ?? '',
  );
  terminal.dispose();
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

describeLong('terminal', { skip: engineSkip }, () => {
  let server: TestServer;
  let user: TestUser;
  let container: { id: number; name: string };

  before(async () => {
    server = await startServer();
    ({ user, container } = await newSandbox(server));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  async function startServer(env: TestSettings = {}): Promise<TestServer> {
    // No round of the reconciler removes a container whose time is over while a test connects to it.
    const settings = { terminalFloodBytesPerSecond: 2 ** 30 };
    const started = await TestServer.start({ ...settings, ...env });
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await started.application.db.insertInto('sandbox_templates').values(template).execute();
    return started;
  }

  async function newSandbox(on: TestServer) {
    const owner = await on.user();
    const created = await on.post('/api/containers/create', owner.token, {});
    assert.equal(created.status, 201, created.text);
    return { user: owner, container: created.body as { id: number; name: string } };
  }

  const address = (on: TestServer, id: number | string, token: string, query = ''): string =>
    `${on.url}/ws/terminal/${id}?token=${token}${query}`;
  const open = (query = '', options: ConstructorParameters<typeof TerminalClient>[1] = {}): TerminalClient =>
    new TerminalClient(address(server, container.id, user.token, query), options);

  /** @param seconds from now */
  async function setEnd({ application: { db } }: TestServer, id: number, seconds: number): Promise<void> {
    const expires_at = new Date(Date.now() + seconds * 1000);
    await db.updateTable('containers').set({ expires_at }).where('id', '=', id).execute();
  }

  async function closeCode(url: string, options: ConstructorParameters<typeof TerminalClient>[1] = {}) {
    return (await new TerminalClient(url, options).closed).code;
  }

  describe('without the subprotocol', () => {
    it('carries keys and output as bytes, and treats text frames as keys', async () => {
      const client = await open().ready();
      client.socket.send('echo te""xt; pwd\n');
      await client.shows(/\rtext\r\n\/home\/student\r\n/);
      client.type('echo bi""nary\n');
      await client.shows(/\rbinary\r\n/);
      assert.deepEqual(client.messages, []);
      client.type('exit\n');
      assert.equal((await client.closed).code, 1000);
    });

    it('resizes on JSON messages, and passes other JSON on as keys', async () => {
      const client = await open('&cols=90&rows=20').ready();
      client.type('stty size\n');
      await client.shows('\r20 90\r\n');
      client.send({ type: 'resize', cols: 100, rows: 30 });
      client.type('stty size\n');
      await client.shows('\r30 100\r\n');
      // Input before the shell has reset the terminal would be read in another mode.
      client.type('echo re""ady; cat\n');
      await client.shows('\rready\r\n');
      client.send({ type: 'input', data: 5 });
      client.socket.send('{"type":"greeting"}\n');
      const shown = await client.shows(/{"type":"greeting"}\r\n{"type":"greeting"}\r\n/);
      assert.ok(!shown.includes('"data"'), shown);
      assert.deepEqual(client.messages, []);
      client.type('\x04exit\n');
      await client.closed;
    });

    it('changes no byte, including invalid text', async () => {
      const client = await open().ready();
      client.type("stty raw -echo; printf 'GO'; head -c 6 | od -An -tx1; printf '<\\377\\376\\303\\000>'; stty sane\n");
      await client.shows(/GO$/);
      client.socket.send(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x80]));
      await client.shows(/ff fe 00 c3 28 80/);
      const wanted = Buffer.from([0x3c, 0xff, 0xfe, 0xc3, 0x00, 0x3e]);
      await until(() => client.output.includes(wanted), 'bytes that are no UTF-8');
      client.socket.terminate();
    });
  });

  describe('terminal.v1', () => {
    it('reports its state in messages', async () => {
      const client = open('&cols=91&rows=21', v1);
      const ready = await client.message('ready');
      const { session_id, ...rest } = ready;
      assert.match(String(session_id), /^[\w-]{24}$/);
      assert.deepEqual(rest, {
        ...{ type: 'ready', cols: 91, rows: 21, is_read_only: false, is_resumed: false },
        ...{ input_bytes: 0, resume_seconds: 300, is_plain: false },
      });
      await client.ready();
      client.send({ type: 'input', data: 'stty size\n' });
      await client.shows('\r21 91\r\n');
      client.send({ type: 'resize', cols: 120, rows: 40 });
      client.send({ type: 'input', data: 'stty size; echo grü""n\n' });
      await client.shows('\r40 120\r\ngrün\r\n');
      client.send({ type: 'ping' });
      await client.message('pong');
      client.type('exit 7\n');
      assert.deepEqual(await client.closed, { code: 1000, reason: 'The shell has ended' });
      assert.deepEqual(client.messages.at(-1), { type: 'exit', code: 7 });
    });

    it('reports problems and continues', async () => {
      const client = open('&cols=0&rows=1000', v1);
      assert.match(String((await client.message('error')).detail), /cols is a whole number from 1 to 500/);
      const { cols, rows } = await client.message('ready');
      assert.deepEqual([cols, rows], [80, 24]);
      client.socket.send('no JSON');
      await client.message('error', ({ detail }) => detail === 'Not a message of terminal.v1');
      client.send({ type: 'resize', cols: 10, rows: 301 });
      await until(() => client.messages.filter(({ type }) => type === 'error').length === 3, 'an error');
      client.send({ type: 'input', data: null });
      await client.message('error', ({ detail }) => detail === 'data is the text that is typed');
      await client.ready();
      client.type('stty size\n');
      await client.shows('\r24 80\r\n');
      client.type('kill -9 $$\n');
      assert.equal((await client.closed).code, 1000);
      assert.deepEqual(client.messages.at(-1), { type: 'exit', code: null });
    });
  });

  describe('refusals', () => {
    it('closes 4401 for an invalid token', async () => {
      assert.equal(await closeCode(address(server, container.id, 'nonsense')), 4401);
      assert.equal(await closeCode(`${server.url}/ws/terminal/${container.id}`), 4401);
      assert.equal(await closeCode(`${address(server, container.id, user.token)}&token=${user.token}`), 4401);
    });

    it('closes 4404 for a missing or another user’s container, with a message', async () => {
      const other = await server.user();
      const client = new TerminalClient(address(server, container.id, other.token), v1);
      assert.equal((await client.closed).code, 4404);
      assert.deepEqual(client.messages, [{ type: 'error', detail: 'Container not found' }]);
      for (const id of [999_999, 'abc', '0', '99999999999999']) {
        assert.equal(await closeCode(address(server, id, user.token)), 4404, String(id));
      }
    });

    it('closes 4403 for another origin, and not for our own or for programs', async () => {
      const url = address(server, container.id, user.token);
      for (const origin of ['https://evil.example.com', 'null', `${server.url}0`]) {
        assert.equal(await closeCode(url, { headers: { origin } }), 4403, origin);
      }
      const client = await open('', { headers: { origin: server.url } }).ready();
      client.type('exit\n');
      assert.equal((await client.closed).code, 1000);
    });

    it('answers a plain request with 426', async () => {
      const answer = await server.get(`/ws/terminal/${container.id}?token=${user.token}`);
      assert.equal(answer.status, 426);
      assert.deepEqual(told(answer), {
        detail: 'This address requires a WebSocket connection',
        code: 'upgrade_required',
      });
    });

    it('closes 4409 when the container is stopped, before or during the connection', async () => {
      const own = await newSandbox(server);
      const url = address(server, own.container.id, own.user.token);
      const client = await new TerminalClient(url, v1).ready();
      assert.equal((await server.post(`/api/containers/${own.container.id}/stop`, own.user.token)).status, 200);
      assert.equal((await client.closed).code, 4409);
      assert.equal(await closeCode(url), 4409);
      assert.equal((await server.post(`/api/containers/${own.container.id}/start`, own.user.token)).status, 200);
      const again = await new TerminalClient(url).ready();
      again.socket.terminate();
    });

    it('closes 1000 when a signal ends the shell, and 1013 when its connection is lost', async () => {
      const ended = await open('', v1).ready();
      ended.type('kill -KILL $$\n');
      assert.deepEqual(await ended.message('exit'), { type: 'exit', code: null });
      assert.deepEqual(await ended.closed, { code: 1000, reason: 'The shell has ended' });
      const unheld = await open('', v1).ready();
      // Its holder: the kernel hangs up the terminal.
      unheld.type('kill -KILL $PPID\n');
      assert.deepEqual(await unheld.message('exit'), { type: 'exit', code: null });
      assert.deepEqual(await unheld.closed, { code: 1000, reason: 'The shell has ended' });
    });

    it('closes 1013 when the connection is lost, and keeps the shell', async () => {
      const own = await newSandbox(server);
      const to = (query = '') => new TerminalClient(address(server, own.container.id, own.user.token, query), v1);
      const lost = await to().ready();
      const { session_id } = await lost.message('ready');
      // The SSH servers of all connections, which report no end any more.
      lost.type('x=kept; pkill -KILL sshd\n');
      assert.deepEqual(await lost.closed, { code: 1013, reason: 'The connection to the container was lost' });
      assert.equal(lost.messages.filter(({ type }) => type === 'exit').length, 0);
      const again = to(`&session=${session_id}`);
      assert.equal((await again.message('ready'))['is_resumed'], true);
      again.type('echo $x al""ive\n');
      await again.shows('kept alive\r\n');
      again.socket.terminate();
    });

    it('closes 4410 when the container is removed, by the service or by others', async () => {
      const first = await newSandbox(server);
      const deleted = await new TerminalClient(address(server, first.container.id, first.user.token), v1).ready();
      assert.equal((await server.delete(`/api/containers/${first.container.id}`, first.user.token)).status, 200);
      assert.equal((await deleted.closed).code, 4410);
      const second = await newSandbox(server);
      const lost = await new TerminalClient(address(server, second.container.id, second.user.token), v1).ready();
      await loseContainer(server, second.container.name);
      // On a cluster it is replaced, and the client connects again.
      assert.equal((await lost.closed).code, isOnCluster ? 1013 : 4410);
    });
  });

  describe('output', { concurrency: true }, () => {
    it('is complete to the last byte when the shell ends right after 20 MB', async () => {
      const client = await open('', v1).ready();
      client.type("exec sh -c 'stty -opost -echo; printf ST''ART; seq 1 2700000; exit 3'\n");
      assert.equal((await client.closed).code, 1000);
      assert.deepEqual(client.messages.at(-1), { type: 'exit', code: 3 });
      const output = client.output;
      const got = output.subarray(output.lastIndexOf('START') + 5);
      const wanted = Buffer.from(`${Array.from({ length: 2_700_000 }, (_, index) => index + 1).join('\n')}\n`);
      assert.equal(got.length, wanted.length);
      assert.equal(sha256(got), sha256(wanted));
    });

    for (const how of ['message', 'reading'] as const) {
      it(`waits in the container for a client that pauses (${how}), and none is lost`, async () => {
        const client = await open('', v1).ready();
        const megabytes = 30;
        const loop = `for i in $(seq ${megabytes}); do head -c 1000000 /dev/zero | tr "\\0" x; echo $i >/tmp/${how}; done`;
        const setPaused = (isPaused: boolean) => {
          if (how === 'message') client.send({ type: isPaused ? 'pause' : 'resume' });
          else if (isPaused) client.socket.pause();
          else client.socket.resume();
        };
        client.type(`exec sh -c 'stty -opost -echo; printf ST""ART; ${loop}'\n`);
        await client.shows('START');
        setPaused(true);
        let [written, unchanged] = [0, 0];
        await until(async () => {
          const now = Number(await asRoot(server, container.name, `cat /tmp/${how}`));
          unchanged = now === written && now > 0 ? unchanged + 1 : 0;
          written = now;
          return unchanged >= 5;
        }, 'the shell to wait');
        // What the kernel, the engine and the SSH window hold, and our own bound: far from all of it.
        assert.ok(written < 15, `${written} MB were written while the client did not read`);
        setPaused(false);
        assert.equal((await client.closed).code, 1000);
        const output = client.output;
        const got = output.subarray(output.lastIndexOf('START') + 5);
        assert.equal(got.length, megabytes * 1_000_000);
        assert.ok(got.every((byte) => byte === 0x78));
      });
    }
  });

  describe('a lost connection', () => {
    const resume = (id: unknown, token = user.token, containerId = container.id): TerminalClient =>
      new TerminalClient(address(server, containerId, token, `&session=${id}`), v1);

    it('keeps the shell, and restores the screen', async () => {
      const first = open('', v1);
      const { session_id } = await first.message('ready');
      await first.ready();
      first.type('seq -f "line %.0f of a long file" 200 >long; less long\n');
      await first.shows('line 23 of');
      first.type('/line 150\n');
      await until(async () => {
        const lines = await drawn(first.output);
        // Its prompt comes last.
        return lines.some((line) => line.startsWith('line 150')) && lines.at(-1) === ':';
      }, 'the search');
      const before = await drawn(first.output);
      first.socket.terminate();

      const second = resume(session_id);
      assert.equal((await second.message('ready')).is_resumed, true);
      await until(() => second.bytes > 0, 'the screen');
      assert.deepEqual(await drawn(second.output), before);
      second.type('q');
      second.type('echo still he""re\n');
      await second.shows('still here\r\n');
      assert.ok(
        (await drawn(second.output)).some((line) => line.includes('less long')),
        'the shell’s own screen is there',
      );
      second.type('exit\n');
      assert.equal((await second.closed).code, 1000);
      assert.equal((await resume(session_id).closed).code, 4404);
    });

    it('continues exactly where the screen ends, even during a flood', async () => {
      const first = open('', v1);
      const { session_id } = await first.message('ready');
      await first.ready();
      first.type('seq 1 4000000\n');
      await first.shows('\r\n10000\r\n');
      first.socket.terminate();
      const second = resume(session_id);
      await until(() => second.bytes > 1_000_000 || second.output.includes('\r\n4000000\r\n'), 'the flood');
      second.socket.pause();
      const lines = (await drawn(second.output)).slice(0, -1).filter((line) => /^\d+$/.test(line));
      // Every line follows the one before it, through the end of the picture into what came after it.
      const breaks = lines.filter((line, index) => index > 0 && Number(line) !== Number(lines[index - 1]) + 1);
      assert.deepEqual(breaks, []);
      assert.ok(lines.length > 1000);
      second.socket.terminate();
    });

    it('belongs only to its user and container', async () => {
      const first = open('', v1);
      const { session_id } = await first.message('ready');
      const other = await newSandbox(server);
      assert.equal((await resume('wrong').closed).code, 4404);
      assert.equal((await resume(session_id, other.user.token).closed).code, 4404);
      assert.equal((await resume(session_id, other.user.token, other.container.id).closed).code, 4404);
      await first.ready();
      first.type('exit\n');
      await first.closed;
    });

    it('is replaced while it is still connected', async () => {
      const first = open('', v1);
      const { session_id } = await first.message('ready');
      await first.ready();
      first.type('cd /tmp\n');
      await first.shows('/tmp');
      const second = resume(session_id);
      assert.deepEqual(await first.closed, { code: 1000, reason: 'Another connection took over' });
      assert.deepEqual(first.messages.at(-1), { type: 'notice', reason: 'taken_over', seconds_left: null });
      await second.message('ready');
      second.type('pwd; exit\n');
      await second.closed;
      assert.match(second.output.toString(), /\r\/tmp\r\n/);
    });
  });

  describe('watching', () => {
    const rows = async (on: TestServer, type: string) =>
      await on.application.db.selectFrom('activity_log').selectAll().where('type', '=', type).orderBy('id').execute();

    // Long: one terminal and its watcher, in the order of what they do.
    it('shows a terminal to read-only watchers, including slow ones, and refuses keys', async () => {
      await using small = await startServer({ maxTerminalBufferBytes: 64 * 1024 });
      const own = await newSandbox(small);
      const instructor = await small.user('instructor');
      const url = (token: string) => address(small, own.container.id, token);
      assert.deepEqual(await new TerminalClient(url(instructor.token)).closed, {
        code: 4404,
        reason: 'No terminal is open in this container',
      });
      assert.deepEqual(await rows(small, 'terminal_watch'), []);

      const owner = await new TerminalClient(url(own.user.token), v1).ready();
      const watcher = new TerminalClient(url(instructor.token), v1);
      assert.equal((await watcher.message('ready')).is_read_only, true);
      owner.type('echo for all to s""ee\n');
      await Promise.all([owner, watcher].map((client) => client.shows('for all to see\r\n')));
      const [entry] = await rows(small, 'terminal_watch');
      assert.deepEqual(
        [entry?.actor_id, entry?.user_id, entry?.entity_type, entry?.entity_id, entry?.title, entry?.details],
        [
          instructor.id,
          own.user.id,
          'container',
          own.container.id,
          own.container.name,
          { kind: 'sandbox', attempt_id: null },
        ],
      );

      // It blocks nobody while it does not read, and receives the current screen afterwards.
      watcher.send({ type: 'pause' });
      watcher.send({ type: 'ping' });
      await watcher.message('pong');
      owner.type('seq 1 300000; echo at the e""nd\n');
      await owner.shows('at the end\r\n');
      const before = watcher.bytes;
      watcher.send({ type: 'resume' });
      await watcher.shows('at the end');
      const lines = (await drawn(watcher.output.subarray(before))).filter((line) => /^\d+$/.test(line));
      assert.equal(lines.at(-1), '300000');
      watcher.type('rm -rf ~\n');
      assert.equal((await watcher.closed).code, 4403);
      owner.type('exit\n');
      assert.equal((await owner.closed).code, 1000);
    });

    it('is for instructors and administrators, and only of students; they can type in their own', async () => {
      const [admin, instructor] = [await server.user('admin'), await server.user('instructor')];
      const created = await server.post('/api/containers/create', admin.token, {});
      assert.equal(created.status, 201, created.text);
      const mine = await new TerminalClient(address(server, created.body.id, admin.token), v1).ready();
      assert.equal((await mine.message('ready')).is_read_only, false);
      for (const { token } of [instructor, user]) {
        const refused = await new TerminalClient(address(server, created.body.id, token), v1).closed;
        assert.deepEqual(refused, { code: 4404, reason: 'Container not found' });
      }
      const owner = await open('', v1).ready();
      for (const { token } of [admin, instructor]) {
        const watcher = new TerminalClient(address(server, container.id, token), v1);
        assert.equal((await watcher.message('ready')).is_read_only, true);
        watcher.socket.terminate();
      }
      for (const client of [mine, owner]) {
        client.type('exit\n');
        assert.equal((await client.closed).code, 1000);
      }
    });

    it('is announced to the watched user from the first watcher to the last, even after a resume', async () => {
      const [first, second] = [await server.user('instructor'), await server.user('admin')];
      const watch = async ({ token }: TestUser) => {
        const watcher = new TerminalClient(address(server, container.id, token), v1);
        await watcher.message('ready');
        return watcher;
      };
      const owner = await open('', v1).ready();
      const { session_id } = await owner.message('ready');
      const reasons = (client: TerminalClient) =>
        client.messages.filter(({ type }) => type === 'notice').map(({ reason }) => reason);
      const one = await watch(first);
      const two = await watch(second);
      assert.deepEqual(await owner.message('notice'), { type: 'notice', reason: 'watched', seconds_left: null });
      one.socket.close();
      await one.closed;
      owner.socket.terminate();
      const resumed = open(`&session=${session_id}`, v1);
      await resumed.message('notice', ({ reason }) => reason === 'watched');
      two.socket.close();
      await resumed.message('notice', ({ reason }) => reason === 'unwatched');
      assert.deepEqual(reasons(owner), ['watched']);
      assert.deepEqual(reasons(resumed), ['watched', 'unwatched']);
      resumed.type('exit\n');
      assert.equal((await resumed.closed).code, 1000);
    });

    it('appears in the title of a plain client, and does not change its screen', async () => {
      const instructor = await server.user('instructor');
      const owner = await open().ready();
      const before = await drawn(owner.output);
      const watcher = new TerminalClient(address(server, container.id, instructor.token), v1);
      await owner.shows('\x1b]0;Somebody is watching this terminal\x07');
      watcher.socket.close();
      await owner.shows('\x1b]0;Nobody is watching this terminal any more\x07');
      assert.deepEqual(await drawn(owner.output), before);
      assert.deepEqual(owner.messages, []);
      owner.type('exit\n');
      assert.equal((await owner.closed).code, 1000);
    });

    it('ends when the watcher loses the permission', async () => {
      await using quick = await startServer({ terminalPingSeconds: 1 });
      const own = await newSandbox(quick);
      const instructor = await quick.user('instructor');
      const owner = await new TerminalClient(address(quick, own.container.id, own.user.token), v1).ready();
      const watcher = new TerminalClient(address(quick, own.container.id, instructor.token), v1);
      await watcher.message('ready');
      const { db } = quick.application;
      await db.updateTable('users').set({ role: 'student' }).where('id', '=', instructor.id).execute();
      assert.equal((await watcher.closed).code, 4403);
      await owner.message('notice', ({ reason }) => reason === 'unwatched');
    });
  });

  // Each has a sandbox of its own, and waits most of the time.
  describe('limits and ends', { concurrency: true }, () => {
    it("closes 4429 beyond the user's limit, after detached shells were ended", async () => {
      await using small = await startServer({ maxTerminalsPerUser: 2 });
      const own = await newSandbox(small);
      const url = address(small, own.container.id, own.user.token);
      const clients = await Promise.all([1, 2].map(() => new TerminalClient(url, v1).ready()));
      assert.equal(await closeCode(url), 4429);
      clients[0]?.socket.terminate();
      await until(async () => {
        const next = new TerminalClient(url, v1);
        return await Promise.race([
          next.message('ready').then(
            () => true,
            () => false,
          ),
          next.closed.then(() => false),
        ]);
      }, 'room for one more');
    });

    it('does not take the place of a shell that is being opened', async () => {
      await using small = await startServer({ maxTerminalsPerUser: 1 });
      const own = await newSandbox(small);
      const url = address(small, own.container.id, own.user.token);
      const first = await small.application.db.transaction().execute(async (trx) => {
        await sql`lock table terminals in access exclusive mode`.execute(trx);
        const opening = new TerminalClient(url, v1);
        const waiting = sql`select from pg_locks where relation = 'terminals'::regclass and not granted`;
        await until(async () => (await waiting.execute(trx)).rows.length > 0, 'the shell to be recorded');
        assert.equal((await new TerminalClient(url, v1).closed).code, 4429);
        return opening;
      });
      await first.message('ready');
    });

    it("closes 4429 beyond the user's limit, even under concurrent requests", async () => {
      await using small = await startServer({ maxTerminalsPerUser: 2 });
      const own = await newSandbox(small);
      const url = address(small, own.container.id, own.user.token);
      const clients = Array.from({ length: 8 }, () => new TerminalClient(url, v1));
      const outcome = (client: TerminalClient) =>
        client.message('ready').then(
          () => 'ready',
          async () => (await client.closed).code,
        );
      const outcomes = await Promise.all(clients.map(outcome));
      assert.deepEqual(outcomes.toSorted(), [4429, 4429, 4429, 4429, 4429, 4429, 'ready', 'ready']);
    });

    it('closes 4401 when the token becomes invalid', async () => {
      await using quick = await startServer({ terminalPingSeconds: 1 });
      const own = await newSandbox(quick);
      const client = await new TerminalClient(address(quick, own.container.id, own.user.token), v1).ready();
      assert.equal((await quick.post('/api/auth/logout', own.user.token)).status, 200);
      assert.equal((await client.closed).code, 4401);
    });

    it('disconnects a client that does not answer pings, and keeps its shell', async () => {
      await using quick = await startServer({ terminalPingSeconds: 1 });
      const own = await newSandbox(quick);
      const url = address(quick, own.container.id, own.user.token);
      const silent = new WebSocket(url.replace('http', 'ws'), ['terminal.v1'], { autoPong: false });
      const [ready] = await once(silent, 'message');
      const [code, reason] = await once(silent, 'close');
      assert.deepEqual([code, String(reason)], [1006, '']);
      const client = new TerminalClient(`${url}&session=${JSON.parse(String(ready)).session_id}`, v1);
      assert.equal((await client.message('ready')).is_resumed, true);
    });

    it('closes 4410 when the time of the container is over', async () => {
      // The moved deadline is found with the next ping.
      await using quick = await startServer({ terminalPingSeconds: 1 });
      const own = await newSandbox(quick);
      const url = address(quick, own.container.id, own.user.token);
      const client = await new TerminalClient(url, v1).ready();
      await setEnd(quick, own.container.id, 3);
      assert.deepEqual(await client.closed, { code: 4410, reason: 'Time is over' });
      assert.deepEqual(client.messages.at(-1), { type: 'notice', reason: 'time', seconds_left: 0 });
      assert.equal(await closeCode(url), 4410);
    });

    it('follows and announces a moved deadline in any process', async () => {
      // At the old deadline it is read again, without a ping. A busy machine has moved it by then.
      await using unasked = await startServer({ terminalPingSeconds: 3600 });
      const own = await newSandbox(unasked);
      await setEnd(unasked, own.container.id, 40);
      const client = await new TerminalClient(address(unasked, own.container.id, own.user.token), v1).ready();
      await setEnd(unasked, own.container.id, 1000);
      const { seconds_left } = await client.message('notice');
      assert.ok(Number(seconds_left) > 800 && Number(seconds_left) <= 1000, String(seconds_left));
      client.type('echo still he""re; exit\n');
      assert.equal((await client.closed).code, 1000);
      assert.match(client.output.toString(), /still here/);
    });

    it('does not wait at its end for a client that left during the opening', async () => {
      const stopping = await startServer();
      try {
        const own = await newSandbox(stopping);
        for (let times = 0; times < 3; times += 1) {
          const leaving = new WebSocket(address(stopping, own.container.id, own.user.token).replace('http', 'ws'), 'x');
          leaving.once('error', () => {});
          await new Promise((resolve) => leaving.once('close', resolve));
        }
      } finally {
        const isOver = stopping[Symbol.asyncDispose]().then(() => true);
        assert.ok(await Promise.race([isOver, delay(15_000, false, { ref: false })]));
      }
    });

    // Only Docker's engine lists the processes of a container whose service has ended.
    it('closes 1001 when the server stops, and keeps the shells of clients that may come back', {
      skip: isOnCluster,
    }, async () => {
      const stopping = await startServer();
      let client: TerminalClient;
      let name: string;
      try {
        const own = await newSandbox(stopping);
        name = own.container.name;
        const url = address(stopping, own.container.id, own.user.token);
        client = await new TerminalClient(url, v1).ready();
        await new TerminalClient(url).ready();
        stopping.keepContainers();
      } finally {
        await stopping[Symbol.asyncDispose]();
      }
      assert.equal((await client.closed).code, 1001);
      const engine = await testEngine();
      assert.ok('options' in engine);
      const target = new Docker(engine.options).getContainer(stopping.config.engine.namePrefix + name);
      let running = '';
      // The shell of the plain client ends.
      await until(
        async () => {
          const { Processes } = await target.top();
          const lines = Processes.map((fields: string[]) => fields.join(' '));
          const count = (program: string) => lines.filter((line: string) => line.includes(program)).length;
          running = `${count('-bash')} shells, ${count('sshd')} servers, ${count('hold ')} holders`;
          return running === '1 shells, 0 servers, 1 holders';
        },
        () => `one shell and its holder, not ${running}`,
      );
      await target.remove({ force: true });
    });
  });
});
