import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { recentLog } from '../recent-log.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TappedLine } from '../tapped-line.ts';
import { TerminalClient } from '../terminal-client.ts';

const secretKey = 'the key of this installation, and of no other';
const header = 'x-terminal-relay';

/** A terminal belongs to one process, its user is connected to another, and the connection between them is recorded. */
describeLong('the connection between two processes', { skip: engineSkip }, () => {
  let line: TappedLine;
  let server: TestServer;
  let student: TestUser;
  let admin: TestUser;
  let containerId: number;

  before(async () => {
    line = await new TappedLine().start();
    const env = {
      PROCESS_URL: `http://127.0.0.1:${line.port}`,
      SECRET_KEY: secretKey,
      terminalPingSeconds: 1,
      maxTerminalsPerUser: 20,
      maxTerminalsPerContainer: 20,
    };
    server = await TestServer.start(env, {}, 2);
    line.leadTo(server.urls[0] ?? '');
    student = await server.user();
    admin = await server.user('admin');
    const { id: template_id } = await server.application.db
      .insertInto('sandbox_templates')
      .values({ name: 's', slug: 's', image: 'platform-sandbox', memory_mb: 128, cpus: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const made = await server.post('/api/containers/create', student.token, { template_id });
    assert.equal(made.status, 201, made.text);
    containerId = made.body.id;
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await line?.[Symbol.asyncDispose]();
  });

  const open = (process: 0 | 1, query: string, headers: Record<string, string> = {}, path = `${containerId}`) =>
    new TerminalClient(`${server.urls[process]}/ws/terminal/${path}${query}`, { protocol: 'terminal.v1', headers });
  const refused = async (client: TerminalClient) => {
    const { code } = await client.closed;
    assert.deepEqual([client.bytes, client.messages.filter(({ type }) => type !== 'error')], [0, []]);
    return code;
  };

  /** Opens a terminal in process 0 and resumes it through process 1. */
  async function relayed(token = student.token): Promise<TerminalClient> {
    const first = open(0, `?token=${token}`);
    const { session_id } = await first.message('ready');
    await first.ready();
    first.socket.terminate();
    const again = open(1, `?token=${token}&session=${session_id}&cols=90&rows=20`);
    const { input_bytes, ...ready } = await again.message('ready');
    assert.ok(Number.isSafeInteger(input_bytes));
    assert.deepEqual(ready, {
      type: 'ready',
      session_id,
      cols: 90,
      rows: 20,
      is_read_only: false,
      is_resumed: true,
      resume_seconds: 300,
      is_plain: false,
    });
    return again;
  }

  it('carries no token of a user in either direction', async () => {
    const before = line.connections;
    const terminal = await relayed();
    terminal.type('echo over""all\n');
    await terminal.shows('overall');
    const watcher = open(1, `?token=${admin.token}`);
    assert.equal((await watcher.message('ready'))['is_read_only'], true);
    terminal.type('exit\n');
    assert.deepEqual([(await terminal.closed).code, (await watcher.closed).code], [1000, 1000]);

    assert.equal(line.connections - before, 2);
    const seen = line.take();
    assert.match(seen, /^GET \/ws\/terminal\/\d+ HTTP\/1\.1\r\n/, 'no query string');
    assert.match(seen, /overall/, 'the line was heard');
    for (const { token } of [student, admin]) {
      for (const part of [token, ...token.split('.').slice(1)])
        assert.ok(!seen.includes(part), 'a token, or a part of one');
    }
    assert.doesNotMatch(seen, /[?&]token=|authorization:|bearer/i);
  });

  it('prevents replays', async () => {
    const terminal = await relayed();
    const pass = new RegExp(`^${header}: (.+)\r$`, 'im').exec(line.take())?.[1];
    assert.ok(pass);
    assert.equal(await refused(open(0, '', { [header]: pass })), 4403);
    assert.equal(await refused(open(1, '', { [header]: pass })), 4403);
    terminal.type('exit\n');
    await terminal.closed;
  });

  it('refuses changed and forged requests with any token', async () => {
    const claims = { userId: admin.id, login: 'one', issuedAt: Date.now(), expiresAt: Date.now() + 60_000 };
    const content = Buffer.from(
      JSON.stringify({ challenge: 'x', containerId, protocol: 'terminal.v1', claims }),
    ).toString('base64url');
    const passes = [
      '1',
      '',
      '..',
      'v1.e30.AAAA',
      `v1.${'A'.repeat(6000)}.AAAA`,
      // Signed with the key of user tokens, and unsigned.
      `v1.${content}.${createHmac('sha256', secretKey).update(`v1.${content}`).digest('base64url')}`,
      `v1.${content}.${createHmac('sha256', '').update(`v1.${content}`).digest('base64url')}`,
      student.token,
    ];
    for (const pass of passes) {
      for (const query of ['', `?token=${student.token}`])
        assert.equal(await refused(open(0, query, { [header]: pass })), 4403, pass.slice(0, 40));
    }
    // Anybody can send them, so they fill no log.
    assert.deepEqual(
      recentLog.lines.filter((text) => text.includes('another process')),
      [],
    );
  });

  it('ends a relayed terminal when its user logs out', async () => {
    const { username, password } = student;
    const login = await server.post('/api/auth/login', undefined, { username, password });
    const terminal = await relayed(login.body.access_token);
    assert.equal((await server.post('/api/auth/logout', login.body.access_token)).status, 200);
    assert.equal((await terminal.closed).code, 4401);
  });
});

describeLong('the connection between two processes over TLS', { skip: engineSkip }, () => {
  const trusted = getCACertificates('default');
  let folder: string;
  let line: TappedLine;
  let server: TestServer;
  let authority: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'certificate-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
    await promisify(execFile)('openssl', [...made.split(' '), '-keyout', key, '-out', cert]);
    authority = await readFile(cert, 'utf8');
    line = await new TappedLine({ key: await readFile(key, 'utf8'), cert: authority }).start();
    server = await TestServer.start({ PROCESS_URL: `https://localhost:${line.port}` }, {}, 2);
    line.leadTo(server.urls[0] ?? '');
  });
  after(async () => {
    setDefaultCACertificates(trusted);
    await server?.[Symbol.asyncDispose]();
    await line?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('is used only with a trusted certificate', async () => {
    const { token } = await server.user();
    const { id: template_id } = await server.application.db
      .insertInto('sandbox_templates')
      .values({ name: 's', slug: 's', image: 'platform-sandbox', memory_mb: 128, cpus: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { body } = await server.post('/api/containers/create', token, { template_id });
    const open = (index: number, query = '') =>
      new TerminalClient(`${server.urls[index]}/ws/terminal/${body.id}?token=${token}${query}`, {
        protocol: 'terminal.v1',
      });
    const first = open(0);
    const { session_id } = await first.message('ready');

    const { code, reason } = await open(1, `&session=${session_id}`).closed;
    assert.deepEqual([code, reason], [1013, 'The process that has this terminal cannot be reached']);
    assert.equal(line.take(), '', 'nothing was said to a stranger');

    setDefaultCACertificates([...trusted, authority]);
    const again = open(1, `&session=${session_id}`);
    assert.equal((await again.message('ready'))['is_resumed'], true);
    again.type('exit\n');
    assert.equal((await again.closed).code, 1000);
    assert.match(line.take(), /^GET \/ws/);
  });
});
