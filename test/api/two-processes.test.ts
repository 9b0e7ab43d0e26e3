import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, it } from 'node:test';
import { ContainerStore } from '../../src/features/capacity/store.ts';
import { WarmStore } from '../../src/features/capacity/warm-store.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

/** The whole API suite runs on two processes with `TEST_PROCESSES=2`; this is what only two can get wrong, always. */
describeLong('two processes on one database', () => {
  let server: TestServer;
  let user: TestUser;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({ REQUESTS_PER_MINUTE: '400', maxTerminalsPerUser: 2 }, {}, 2);
    user = await server.user();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const [one, two] = [0, 1];
  async function on(index: number, method: string, path: string, token?: string, json?: unknown) {
    const response = await fetch(`${server.urls[index]}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
    return { status: response.status, body: (await response.json()) as any };
  }
  const me = (index: number, token: string) => on(index, 'GET', '/api/auth/me', token);

  it('refuse a token in one as soon as the other has answered the logout', async () => {
    for (let round = 0; round < rounds(20, 500, 4); round += 1) {
      const login = await on(round % 2, 'POST', '/api/auth/login', undefined, user);
      const token: string = login.body.access_token;
      assert.deepEqual([(await me(one, token)).status, (await me(two, token)).status], [200, 200]);
      assert.equal((await on(round % 2, 'POST', '/api/auth/logout', token)).status, 200);
      assert.equal((await me((round + 1) % 2, token)).status, 401, `round ${round}`);
    }
  });

  it('know a role, a deactivation and new content in one as soon as the other has answered', async () => {
    const { id, token } = await server.user();
    for (let round = 0; round < rounds(20, 20, 4); round += 1) {
      const role = round % 2 === 0 ? 'instructor' : 'student';
      await Promise.all([me(one, token), me(two, token)]);
      const changed = await on(round % 2, 'PUT', `/api/admin/users/${id}/role?role=${role}`, admin.token);
      assert.equal(changed.status, 200);
      assert.equal((await me((round + 1) % 2, token)).body.role, role, `round ${round}`);
    }
    const exam = {
      title: 'Both',
      container_image: 'platform-exam-linux-basics',
      time_limit_minutes: 5,
      passing_score: 1,
    };
    assert.equal((await on(two, 'GET', '/api/exams', token)).status, 200);
    const made = await on(one, 'POST', '/api/admin/exams', admin.token, { ...exam, description: '' });
    assert.equal(made.status, 201);
    assert.equal((await on(two, 'GET', `/api/exams/${made.body.id}`, token)).status, 200);
  });

  it('know the settings of the installation in one as soon as the other has answered', async () => {
    for (let round = 0; round < 4; round += 1) {
      const name = `School ${round}`;
      assert.equal((await on(round % 2, 'PUT', '/api/admin/site', admin.token, { name })).status, 200);
      const other = (round + 1) % 2;
      assert.equal((await on(other, 'GET', '/api/site')).body.name, name);
      const page = await fetch(`${server.urls[other]}/`, { headers: { accept: 'text/html' } });
      assert.match(await page.text(), new RegExp(`<title>${name}</title>`));
    }
  });

  it('count failed logins together', async () => {
    const { username } = await server.user();
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const wrong = { username, password: `guess number ${round}` };
      statuses.push((await on(round % 2, 'POST', '/api/auth/login', undefined, wrong)).status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  it('count requests together', async () => {
    const { token } = await server.user();
    let admitted = 0;
    await until(async () => {
      const answers = await Promise.all([me(one, token), me(two, token), me(one, token), me(two, token)]);
      admitted += answers.filter(({ status }) => status === 200).length;
      return answers.every(({ status }) => status === 429);
    }, 'the limit');
    // Not twice the 400: at most a twentieth that was not reported, and the requests of a tenth of a second more.
    assert.ok(admitted >= 390 && admitted < 600, `${admitted} were admitted`);
  });

  it('fill one warm pool', async () => {
    const { db } = server.application;
    const stores = [0, 0].map((process) => new WarmStore(db, process, server.config.containers));
    for (let round = 0; round < rounds(20, 20, 4); round += 1) {
      const kind = { image: `image-${round}`, setup_key: null };
      const reserved = await Promise.all(
        stores.map((store) => store.reserveWarm(kind, { wanted: 1, isExpected: false })),
      );
      assert.equal(reserved.filter(Boolean).length, 1);
      for (const one of reserved) if (one) await new ContainerStore(db).forget(one.row.id);
    }
  });

  // Long: one terminal that moves between processes.
  it('resume, show and limit a terminal in any process', { skip: engineSkip }, async () => {
    const student = await server.user();
    const { id } = await server.application.db
      .insertInto('sandbox_templates')
      .values({ name: 's', slug: 's', image: 'platform-sandbox', memory_mb: 128, cpus: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const made = await on(one, 'POST', '/api/containers/create', student.token, { template_id: id });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const open = (index: number, token: string, query = '') =>
      new TerminalClient(`${server.urls[index]}/ws/terminal/${made.body.id}?token=${token}${query}`, {
        protocol: 'terminal.v1',
      });
    const first = open(one, student.token);
    const { session_id } = await first.message('ready');
    await first.ready();
    first.type('echo be""gun; cd /tmp\n');
    await first.shows('begun\r\n');
    first.socket.terminate();

    const again = open(two, student.token, `&session=${session_id}`);
    assert.equal((await again.message('ready'))['is_resumed'], true);
    await again.shows('begun');
    again.type('pwd; seq 1 200000 | tail -1; echo over""all\n');
    await again.shows(/\/tmp\r\n200000\r\noverall\r\n/);
    const paste = Buffer.from(`${'.'.repeat(63)}\n`.repeat(16_384).replace(/\./g, (_, at: number) => String(at % 7)));
    again.type(`stty -echo; echo re""ad; head -c ${paste.length} | sha256sum; stty sane\n`);
    await again.shows('read\r\n');
    for (let offset = 0; offset < paste.length; offset += 4096)
      again.socket.send(paste.subarray(offset, offset + 4096));
    await again.shows(createHash('sha256').update(paste).digest('hex'));
    const watcher = open(two, admin.token);
    assert.equal((await watcher.message('ready'))['is_read_only'], true);
    await watcher.shows('overall');

    const second = open(two, student.token);
    await second.message('ready');
    assert.equal((await open(one, student.token).closed).code, 4429);
    assert.equal((await open(two, student.token, '&session=unknown').closed).code, 4404);
    again.type('exit\n');
    assert.equal((await again.closed).code, 1000);
    assert.equal((await watcher.closed).code, 1000);
    second.type('exit\n');
    await second.closed;
  });
});
