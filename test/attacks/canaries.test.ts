import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import pg from 'pg';
import { findPostmaster } from '../../packages/embedded-postgres/postmaster.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, testEngine } from '../server.ts';
import { serviceProgram } from '../service-program.ts';
import { environmentOf } from '../settings.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const prefix = `canaries${process.pid}-`;

/** The secrets of a run, by name. */
const canaries = new Map<string, string>();
const secret = (what: string): string => {
  const value = `canary-${randomBytes(15).toString('hex')}`;
  canaries.set(what, value);
  return value;
};

/** Plain, percent-encoded, in base64 and in hexadecimal. */
const disguises = (value: string): string[] => [
  value,
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
  Buffer.from(value).toString('hex'),
];
const found = (bytes: Buffer | string): string[] =>
  [...canaries].flatMap(([what, value]) => (disguises(value).some((text) => bytes.includes(text)) ? [what] : []));

/** Uses secrets of every kind in every way, then searches every readable place for them. */
describeLong('a secret', { skip: engineSkip, timeout: 600_000 }, () => {
  let dataDir: string;
  let child: ChildProcess;
  let base: string;
  let output = '';
  const errors: string[] = [];
  /** A Git server that never answers, so that the waiting `git` process can be inspected. */
  let gitServer: Server;
  const gitConnections = new Set<Socket>();
  let docker: Docker;
  let terminal: TerminalClient;
  const adminPassword = secret('the first administrator’s password');
  const metricsToken = secret('METRICS_TOKEN');

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'platform-canaries-'));
    gitServer = createServer((socket) => gitConnections.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(gitServer, 'listening');
    const { port } = gitServer.address() as { port: number };
    const engine = await testEngine();
    if ('reason' in engine) throw new Error(engine.reason);
    docker = new Docker(engine.options);
    child = spawn(process.execPath, [serviceProgram, 'start', '--no-install'], {
      env: {
        ...process.env,
        // The machine may be busy with other tests.
        ...environmentOf({ maxEventLoopDelayMs: 0, lessonsTimeoutSeconds: 20 }),
        DATA_DIR: dataDir,
        DATABASE_URL: '',
        PORT: '0',
        LOG_LEVEL: 'trace',
        BCRYPT_COST: '4',
        CONTAINER_NAME_PREFIX: prefix,
        WARM_CONTAINERS: '0',
        SECRET_KEY: secret('SECRET_KEY'),
        ADMIN_PASSWORD: adminPassword,
        METRICS_TOKEN: metricsToken,
        LESSONS_REPO_URL: `http://robot:${secret('the password of the lessons’ repository')}@127.0.0.1:${port}/lessons.git`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    await until(
      () => {
        assert.equal(child.exitCode, null, output);
        return /^ready .*http/m.test(output);
      },
      'the service',
      90_000,
    );
    base = /^ready .*(http\S+)/m.exec(output)?.[1] ?? '';
    await use();
  });
  after(async () => {
    terminal?.socket.terminate();
    // The service waits for that `git` process.
    for (const socket of gitConnections) socket.destroy();
    gitServer?.close();
    if (child?.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    const left = docker ? await docker.listContainers({ all: true, filters: { name: [prefix] } }) : [];
    for (const { Id } of left) await docker.getContainer(Id).remove({ force: true, v: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  type Sent = { token?: string; json?: unknown; body?: string; type?: string };
  async function send(method: string, path: string, { token, json, body, type }: Sent = {}) {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(json || type ? { 'content-type': type ?? 'application/json' } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (response.status >= 400)
      errors.push(`${method} ${response.status} ${text} ${JSON.stringify([...response.headers])}`);
    return {
      status: response.status,
      text,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    };
  }
  async function login(username: string, password: string): Promise<string> {
    const { status, text, body } = await send('POST', '/api/auth/login', { json: { username, password } });
    assert.equal(status, 200, text);
    canaries.set(`a token of ${username}, ${canaries.size}`, body.access_token.split('.')[2]);
    return body.access_token;
  }
  const pids = async () => (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isRunning = async (program: RegExp): Promise<boolean> => {
    const lines = await Promise.all(
      (await pids()).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    return lines.some((line) => program.test(line));
  };
  const query = (fields: Record<string, string>): string => `?${new URLSearchParams(fields)}`;

  /** Sends each secret to every place that accepts it, and to places that do not. */
  async function use(): Promise<void> {
    const admin = await login('admin', adminPassword);
    const account = { username: 'student', email: 'student@example.com', password: secret('a password, registered') };
    assert.equal((await send('POST', '/api/auth/register', { json: account })).status, 200);
    const token = await login('student', account.password);
    await send('POST', `/api/auth/register${query({ ...account, password: secret('a password in a query string') })}`);
    await send('POST', '/api/auth/login', { json: { username: 'student', password: secret('a wrong password') } });
    await send('POST', '/api/auth/login', { json: { username: secret('a password for a name'), password: 'x' } });
    await send('POST', '/api/auth/login', {
      body: `{"password": "${secret('a password in no JSON')}`,
      type: 'application/json',
    });
    const made = {
      username: 'made',
      email: 'made@example.com',
      password: secret('a password, made by an administrator'),
    };
    const created = await send('POST', `/api/admin/users${query({ ...made, role: 'student' })}`, { token: admin });
    assert.equal(created.status, 201, created.text);
    const csv = `username,email,full_name,role,password\nimported,imported@example.com,,student,${secret('a password, imported')}\nother,other@example.com,,student,\n`;
    const imported = await send('POST', '/api/admin/users/import', { token: admin, body: csv, type: 'text/csv' });
    assert.equal(imported.status, 201, imported.text);
    canaries.set('a password, made up', imported.body[1].password);
    const broken = csv.replace('imported@example.com', 'no address');
    assert.equal(
      (await send('POST', '/api/admin/users/import', { token: admin, body: broken, type: 'text/csv' })).status,
      422,
    );
    const change = { old_password: account.password, new_password: secret('a password, changed') };
    for (const fields of [{ ...change, old_password: secret('a wrong current password') }, change])
      await send('PUT', '/api/auth/password', { token, json: fields });
    const again = await login('student', change.new_password);
    for (const path of [
      `/nothing/${again}`,
      `/api/exams/${again}`,
      `/api/auth/me${query({ token: again })}`,
      `/api/exams${query({ page: again })}`,
    ])
      await send('GET', path);
    await send('GET', '/metrics', { token: secret('a wrong token for metrics') });
    await send('GET', '/api/auth/me', { token: secret('a token that is none') });
    await send('GET', '/api/lessons/courses', { token: again });
    const sandbox = await send('POST', '/api/containers/create', { token: again, json: {} });
    assert.equal(sandbox.status, 201, sandbox.text);
    terminal = await new TerminalClient(`${base}/ws/terminal/${sandbox.body.id}?token=${again}`).ready();
    await new TerminalClient(`${base}/ws/terminal/999?token=${again}`).closed;
    const bad = new TerminalClient(`${base}/ws/terminal/1?token=${secret('a wrong token of a terminal')}`);
    assert.equal((await bad.closed).code, 4401);
    await send('POST', '/api/auth/logout', { token: await login('made', made.password) });
    void send('POST', '/api/lessons/refresh-repository', { token: admin }).catch(() => undefined);
    await until(() => gitConnections.size > 0, 'git to ask for the repository');
  }

  it('is in no argument list and no environment except that of the service', async () => {
    await until(async () => await isRunning(/git.*remote-http/), 'git, which talks to a server');
    const seen: string[] = [];
    for (const pid of await pids()) {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`).catch(() => Buffer.alloc(0));
      const [line, environment] = [await read('cmdline'), await read('environ')];
      assert.deepEqual(found(line), [], line.toString().replaceAll('\0', ' '));
      // Only its own account and root can read the environment of a process. `git` receives only the variables that it needs.
      const given = /^[/\w-]*git/.test(line.toString()) ? ['the password of the lessons’ repository'] : [];
      const known = found(environment).filter((what) => !given.includes(what));
      if (Number(pid) !== child.pid) assert.deepEqual(known, [], line.toString().replaceAll('\0', ' '));
      seen.push(line.toString().replaceAll('\0', ' '));
    }
    for (const program of [/git.*(fetch|clone|ls-remote|remote-http)/, /postgres/, /connect|sshd/])
      assert.ok(
        seen.some((line) => program.test(line)),
        `${program} was looked at`,
      );
  });

  it('is in no log', () => {
    assert.ok(output.includes('/api/auth/login'), 'requests are logged');
    assert.deepEqual(found(output), []);
  });

  it('is in no answer except the one that returns it', async () => {
    assert.ok(errors.length >= 12, `${errors.length}`);
    for (const error of errors) assert.deepEqual(found(error), [], error);
    const metrics = await send('GET', '/metrics', { token: metricsToken });
    assert.equal(metrics.status, 200);
    assert.deepEqual(found(metrics.text), []);
    assert.deepEqual(found((await send('GET', '/readyz')).text), []);
  });

  it('is not in the database, except bcrypt hashes of passwords', async () => {
    const postmaster = await findPostmaster(join(dataDir, 'postgres'));
    const client = new pg.Client({ ...postmaster?.address });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
      );
      assert.ok(tables.length > 20, `${tables.length}`);
      for (const { name } of tables) {
        const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} as t`);
        for (const { row } of rows) assert.deepEqual(found(row), [], name);
      }
      const { rows } = await client.query<{ password_hash: string }>('select password_hash from users');
      assert.equal(rows.length, 5);
      for (const { password_hash } of rows) assert.match(password_hash, /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/);
      await client.query('checkpoint');
    } finally {
      await client.end();
    }
  });

  it('is in no file of the data folder accessible to others', async () => {
    let files = 0;
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile()) continue;
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      assert.deepEqual(found(bytes), [], path);
      files += 1;
    }
    assert.ok(files > 100, `${files}`);
    assert.equal((await stat(dataDir)).mode & 0o067, 0, 'a folder that others cannot read or enter');
  });

  it('is in no container: neither in its record on the engine nor in a file', async () => {
    const [container] = await docker.listContainers({ filters: { name: [prefix] } });
    assert.ok(container);
    assert.deepEqual(found(JSON.stringify(await docker.getContainer(container.Id).inspect())), []);
    terminal.type(
      'grep -rl "canary-[0-9a-f]" / --exclude-dir=sys --exclude-dir=proc 2>/dev/null | wc -l; env | grep -c canary; echo en""d\n',
    );
    assert.match(await terminal.shows(/\nend\r\n/), /\r0\r\n0\r\nend/);
  });
});
