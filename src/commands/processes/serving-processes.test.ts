import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Launched } from '../../../test/launched.ts';
import { describeLong } from '../../../test/rounds.ts';
import { engineSkip } from '../../../test/server.ts';
import { TerminalClient } from '../../../test/terminal-client.ts';
import { until } from '../../../test/until.ts';

type LogLine = { process: number; pid: number; msg: string; path?: string };
const password = 'a secret of the admin';

/** `npm start` with PROCESSES=2, as an operator runs it. */
describeLong('two processes at one address', { timeout: 600_000 }, () => {
  let commands: Launched;
  let service: ReturnType<Launched['launch']>;
  before(async () => {
    commands = await Launched.prepare();
    const limits = { PEOPLE_PER_ADDRESS: '1000000', REQUESTS_PER_MINUTE: '1000000' };
    const env = { PROCESSES: '2', LOG_LEVEL: 'debug', ADMIN_PASSWORD: password, ...limits };
    service = commands.launch(['start'], { ...env, ...(engineSkip ? { DOCKER_HOST: 'unix:///none.sock' } : {}) });
    await service.until(/^ready .*2 processes$/m);
  });
  after(() => commands[Symbol.asyncDispose]());

  const log = () =>
    service
      .output()
      .split('\n')
      // The last one may not be complete yet.
      .slice(0, -1)
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
  /** The process ids of those that answered requests of a path. */
  const answered = (path: string) => new Set(log().flatMap((line) => (line.path === path ? [line.pid] : [])));
  /** Each request comes on a connection of its own. */
  const get = (path: string, token = '') =>
    fetch(commands.url + path, { headers: { connection: 'close', authorization: `Bearer ${token}` } });
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('both answer, and neither is the primary', async () => {
    await until(async () => (await get('/healthz')).ok && answered('/healthz').size === 2, 'both to answer');
    assert.ok(!answered('/healthz').has(service.child.pid ?? 0));
    const { token } = await commands.logIn('admin', password);
    const system = (await (await get('/api/admin/system', token)).json()) as { service: { processes: number } };
    assert.equal(system.service.processes, 2);
  });

  it('report their metrics together, in whichever one is asked', async () => {
    for (let count = 0; count < 40; count += 1) assert.equal((await get('/readyz')).status, 200);
    await until(() => log().filter(({ path }) => path === '/readyz').length === 40, 'the log of all');
    assert.equal(answered('/readyz').size, 2);
    for (let round = 0; round < 4; round += 1) {
      const text = await (await get('/metrics')).text();
      const counted = /^http_request_duration_seconds_count\{.*route="\/readyz".*\} (\d+)$/m.exec(text)?.[1];
      assert.equal(Number(counted), 40, `round ${round}`);
    }
  });

  it('find a terminal that the other one holds', { skip: engineSkip }, async () => {
    const { token } = await commands.logIn('admin', password);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const made = await fetch(`${commands.url}/api/containers/create`, { method: 'POST', headers, body: '{}' });
    assert.equal(made.status, 201, await made.clone().text());
    const { id } = (await made.json()) as { id: number };
    const open = (query: string) =>
      new TerminalClient(`${commands.url}/ws/terminal/${id}?token=${token}${query}`, { protocol: 'terminal.v1' });
    let client = open('');
    const { session_id } = await client.message('ready');
    await client.ready();
    // The kernel chooses the process of each connection. All eight reach the one with the terminal once in 256 times.
    for (let round = 0; round < 8; round += 1) {
      client.socket.terminate();
      await client.closed;
      client = open(`&session=${session_id}`);
      assert.equal((await client.message('ready'))['is_resumed'], true);
      client.type(`echo ro""und ${round}\n`);
      await client.shows(`round ${round}\r\n`);
    }
    client.socket.terminate();
    await fetch(`${commands.url}/api/containers/${id}`, { method: 'DELETE', headers });
  });

  // Long: everything that was acknowledged while a process died is checked at the end.
  it('lose nothing that was acknowledged when one is killed, and it is replaced', async () => {
    const first = await bothPids();
    const [victim] = first;
    assert.ok(victim);
    const created: string[] = [];
    let isOver = false;
    const register = async (who: number) => {
      for (let count = 0; !isOver; count += 1) {
        const username = `user-${who}-${count}`;
        const body = JSON.stringify({
          username,
          email: `${username}@example.com`,
          password: `password of ${username}`,
        });
        const headers = { 'content-type': 'application/json', connection: 'close' };
        const answer = fetch(`${commands.url}/api/auth/register`, { method: 'POST', headers, body });
        // The requests of the process that was killed have no answer.
        const status = await answer.then((one) => one.status).catch(() => undefined);
        if (status === 200) created.push(username);
        // Leaves processor time to the start of the new process.
        await delay(20);
      }
    };
    const clients = [1, 2, 3, 4].map(register);
    try {
      await until(() => created.length >= 20, 'some users');
      process.kill(victim, 'SIGKILL');
      await service.until(new RegExp(`^process +\\d \\(pid ${victim}\\) has ended: SIGKILL; it is started again`, 'm'));
      const before = created.length;
      await until(() => created.length >= before + 10, 'the other one to continue');
      await service.until(/^process +\d \(pid \d+\) serves again$/m);
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    for (const username of created.slice(-60))
      assert.equal((await commands.logIn(username, `password of ${username}`)).status, 200, username);
    const hasNewOne = () => [...answered('/healthz')].some((pid) => !first.includes(pid));
    await until(async () => (await get('/healthz')).ok && hasNewOne(), 'the new one to answer');
  });

  /** The service is ready before the lines of both processes have arrived. */
  async function bothPids(): Promise<number[]> {
    const running = () => [...new Set(log().map(({ pid }) => pid))].filter(isRunning);
    await until(() => running().length === 2, 'both processes to have logged');
    return running();
  }

  it('all end with the primary on SIGTERM, within the time to stop', async () => {
    const pids = await bothPids();
    service.child.kill('SIGTERM');
    const { code, output } = await service.end();
    assert.equal(code, 0, output.slice(-2000));
    assert.match(output, /^stopped *$/m);
    assert.deepEqual(pids.filter(isRunning), []);
    await assert.rejects(get('/healthz'));
  });

  it('all end with the primary when it is killed, and the next one takes over its database', async () => {
    service.child.kill('SIGTERM');
    await service.end();
    service = commands.launch(['start'], { PROCESSES: '2', LOG_LEVEL: 'info', DOCKER_HOST: 'unix:///none.sock' });
    await service.until(/^ready /m);
    const left = await bothPids();
    service.child.kill('SIGKILL');
    await once(service.child, 'exit');
    await until(() => !left.some(isRunning), 'the processes to end without the primary');
    // It takes over the database that the killed one left running, and stops it.
    service = commands.launch(['start'], { DOCKER_HOST: 'unix:///none.sock' });
    assert.match(await service.until(/^ready /m), /of our own in .*, running already/);
    service.child.kill('SIGTERM');
    assert.equal((await service.end()).code, 0);
  });

  it('are refused where their number, or another value, makes no sense', async () => {
    const refused = async (env: Record<string, string>) => {
      const { code, output } = await commands.launch(['start'], env).end();
      assert.equal(code, 1);
      return output;
    };
    assert.match(await refused({ PROCESSES: '0' }), /PROCESSES takes auto, or a whole number from 1 to 64/);
    const one = { PROCESSES: '2', PROCESS_URL: 'http://10.0.0.5:8000' };
    assert.match(await refused(one), /PROCESS_URL is the address of one process: it takes PROCESSES=1/);
  });
});
