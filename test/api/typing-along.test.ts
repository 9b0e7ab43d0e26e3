import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, it } from 'node:test';
import { openSession, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient, type TerminalMessage } from '../terminal-client.ts';
import { until } from '../until.ts';

type Opened = { owner: TerminalClient; url: (user: TestUser, query?: string) => string; id: number; user: TestUser };

describeLong('typing along in a terminal', { skip: engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let [admin, teacher] = [] as unknown as [TestUser, TestUser];
  let classId: number;

  before(async () => {
    // Owners are in one process, watchers in the other one.
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes', terminalPingSeconds: 3600 }, {}, 2);
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
    classId = await schoolClass(server, teacher, []);
  });
  after(() => server?.[Symbol.asyncDispose]());

  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  async function good(answer: Promise<Answer>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  const v1 = { protocol: 'terminal.v1' } as const;
  const urlOf = (id: number, { token }: TestUser, process: number, query = '') =>
    `${server.urls[process]}/ws/terminal/${id}?token=${token}${query}`;
  async function pupil(): Promise<TestUser> {
    const user = await server.user();
    await good(server.post(`/api/classes/${classId}/members`, admin.token, { user_id: user.id }));
    return user;
  }
  /** A student of the class at a terminal. */
  async function atTerminal(options: ConstructorParameters<typeof TerminalClient>[1] = v1): Promise<Opened> {
    const user = await pupil();
    const { id } = await good(server.post('/api/containers/create', user.token, {}));
    const owner = await new TerminalClient(urlOf(id, user, 0), options).ready();
    return { owner, id, user, url: (one, query) => urlOf(id, one, one === user ? 0 : 1, query) };
  }
  async function watch({ url }: Opened, by = teacher): Promise<TerminalClient> {
    const watcher = new TerminalClient(url(by), v1);
    assert.equal((await watcher.message('ready')).is_read_only, true);
    return watcher;
  }
  const along = async (client: TerminalClient, is: (message: TerminalMessage) => boolean) =>
    await client.message('typing_along', is);
  const inState = (state: string) => (message: TerminalMessage) => message['state'] === state;
  const lastOf = (client: TerminalClient) => client.messages.findLast(({ type }) => type === 'typing_along');
  /** Waits until the state after this call is another one. */
  async function next(client: TerminalClient, state: string, act: () => void): Promise<TerminalMessage> {
    const before = client.messages.length;
    act();
    await until(
      async () => client.messages.slice(before).some((one) => one.type === 'typing_along' && inState(state)(one)),
      `${state} after ${JSON.stringify(lastOf(client))}`,
    );
    return lastOf(client) as TerminalMessage;
  }
  async function allowed(at: Opened, by = teacher): Promise<TerminalClient> {
    const watcher = await watch(at, by);
    await next(at.owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    await next(watcher, 'active', () => at.owner.send({ type: 'allow_typing' }));
    return watcher;
  }
  const logged = async (type: string, userId: number) =>
    await server.application.db
      .selectFrom('activity_log')
      .selectAll()
      .where('type', '=', type)
      .where('user_id', '=', userId)
      .execute();
  const ended = async (client: TerminalClient, reason: string) =>
    assert.equal((await along(client, inState('ended')))['reason'], reason);
  /** What a client sends is in the order of the answers to its pings. */
  async function settled(client: TerminalClient): Promise<void> {
    const count = () => client.messages.filter(({ type }) => type === 'pong').length;
    const before = count();
    client.send({ type: 'ping' });
    await until(async () => count() > before, 'the pong');
  }

  // Long: one terminal in which both type, in the order of what they do.
  it('is asked for, allowed, seen by both, logged and ended', async () => {
    const at = await atTerminal();
    const { owner, user } = at;
    const { session_id } = await owner.message('ready');
    owner.send({ type: 'acknowledge' });
    const watcher = await watch(at);
    const asked = await next(owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    assert.deepEqual(asked, {
      ...{ type: 'typing_along', state: 'asked', name: teacher.username, is_typing: false, reason: null },
    });
    assert.equal((await along(watcher, inState('asked')))['name'], user.username);
    assert.deepEqual(await logged('terminal_type', user.id), []);
    const active = await next(watcher, 'active', () => owner.send({ type: 'allow_typing' }));
    assert.deepEqual([active['name'], active['is_typing']], [user.username, false]);
    const [begin] = await logged('terminal_type', user.id);
    assert.deepEqual([begin?.actor_id, begin?.entity_id], [teacher.id, at.id]);

    watcher.type('echo of-the-h""elper\n');
    for (const client of [owner, watcher]) await client.shows('of-the-helper\r\n');
    assert.equal((await along(owner, ({ is_typing }) => is_typing === true))['name'], teacher.username);
    const mine = 'echo of-the-u""ser\n';
    owner.type(mine);
    for (const client of [owner, watcher]) await client.shows('of-the-user\r\n');
    await along(watcher, ({ is_typing }) => is_typing === true);
    assert.equal(lastOf(owner)?.['is_typing'], false);
    // The user's client repeats what was not received, so it is told of its own input only.
    await owner.message('received', ({ input_bytes }) => input_bytes === mine.length);
    const counts = owner.messages.filter(({ type }) => type === 'received').map(({ input_bytes }) => input_bytes);
    assert.ok(
      counts.every((count) => Number(count) <= mine.length),
      `${counts}`,
    );
    const stored = server.application.db.selectFrom('terminals').select('helper_bytes');
    const [row] = await stored.where('id', '=', String(session_id)).execute();
    assert.equal(Number(row?.helper_bytes), 'echo of-the-h""elper\n'.length);

    await next(owner, 'ended', () => watcher.send({ type: 'end_typing' }));
    await ended(watcher, 'ended');
    // What was on its way is dropped.
    watcher.type('echo too-l""ate\n');
    await settled(watcher);
    owner.type('echo still-m""ine\n');
    const shown = await watcher.shows('still-mine\r\n');
    assert.doesNotMatch(shown, /too-l/);
    await until(async () => (await logged('terminal_type_end', user.id)).length === 1, 'the end in the log');

    // Another connection needs another consent, and continues at the right byte of its own input.
    const resumed = new TerminalClient(at.url(user, `&session=${session_id}`), v1);
    assert.equal((await resumed.message('ready'))['input_bytes'], mine.length + 'echo still-m""ine\n'.length);
    resumed.type('exit\n');
    assert.equal((await watcher.closed).code, 1000);
  });

  it('is refused, withdrawn, or asked by one at a time', async () => {
    const at = await atTerminal();
    const [watcher, second] = [await watch(at), await watch(at, admin)];
    await next(at.owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    await next(second, 'ended', () => second.send({ type: 'ask_to_type' }));
    await ended(second, 'busy');
    // Only the user answers.
    second.send({ type: 'allow_typing' });
    watcher.send({ type: 'allow_typing' });
    second.send({ type: 'end_typing' });
    for (const client of [second, watcher]) await settled(client);
    assert.equal(lastOf(at.owner)?.['state'], 'asked');
    await next(watcher, 'ended', () => at.owner.send({ type: 'refuse_typing' }));
    await ended(watcher, 'refused');
    await next(at.owner, 'asked', () => second.send({ type: 'ask_to_type' }));
    assert.equal(lastOf(at.owner)?.['name'], admin.username);
    await next(at.owner, 'ended', () => second.send({ type: 'end_typing' }));
    assert.equal(lastOf(at.owner)?.['reason'], 'withdrawn');
    at.owner.send({ type: 'allow_typing' });
    at.owner.send({ type: 'ask_to_type' });
    await at.owner.message('error', ({ detail }) => detail === 'This terminal is your own');
    assert.equal(lastOf(at.owner)?.['state'], 'ended', 'nobody is allowed whom nobody asks for');
    // Keys without a consent, also of one who has asked, close the connection.
    await next(at.owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    watcher.type('echo intruder\n');
    assert.equal((await watcher.closed).code, 4403);
    await until(async () => lastOf(at.owner)?.['state'] === 'ended', 'the end of the question');
    second.type('echo intruder\n');
    assert.equal((await second.closed).code, 4403);
    at.owner.type('exit\n');
    await at.owner.closed;
    assert.doesNotMatch(at.owner.output.toString(), /intruder/);
    assert.deepEqual(await logged('terminal_type', at.user.id), []);
  });

  it('cannot be asked of a plain client, and of nobody', async () => {
    const at = await atTerminal({});
    const watcher = await watch(at);
    await next(watcher, 'ended', () => watcher.send({ type: 'ask_to_type' }));
    await ended(watcher, 'away');
    assert.deepEqual(at.owner.messages, []);
    at.owner.type('exit\n');
    await watcher.closed;

    const left = await atTerminal();
    const other = await watch(left);
    left.owner.socket.terminate();
    await left.owner.closed;
    await until(async () => {
      await next(other, 'ended', () => other.send({ type: 'ask_to_type' }));
      return lastOf(other)?.['reason'] === 'away';
    }, 'the answer that nobody is there');
  });

  // Long: each way in which a consent ends.
  it('ends with either connection, by the user, and with the shell', async () => {
    const at = await atTerminal();
    const { session_id } = await at.owner.message('ready');
    let watcher = await allowed(at);
    await next(watcher, 'ended', () => at.owner.send({ type: 'end_typing' }));
    await ended(watcher, 'ended');
    await next(at.owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    await next(watcher, 'active', () => at.owner.send({ type: 'allow_typing' }));
    await next(at.owner, 'ended', () => watcher.socket.terminate());
    assert.equal(lastOf(at.owner)?.['reason'], 'left');

    watcher = await allowed(at);
    // As after a reload: the consent was given on the other connection.
    const again = new TerminalClient(at.url(at.user, `&session=${session_id}`), v1);
    await again.message('ready');
    await ended(watcher, 'left');
    watcher.type('echo without-c""onsent\n');
    await settled(watcher);
    assert.equal(lastOf(again), undefined);
    again.type('echo the-e""nd\n');
    assert.doesNotMatch(await watcher.shows('the-end\r\n'), /without-c/);
    await next(again, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    await next(watcher, 'active', () => again.send({ type: 'allow_typing' }));
    watcher.type('exit\n');
    assert.deepEqual([(await watcher.closed).code, (await again.closed).code], [1000, 1000]);
    await until(async () => (await logged('terminal_type_end', at.user.id)).length === 4, 'four ends in the log');
  });

  it('ends at the next key of one who may not watch any more', async () => {
    const at = await atTerminal();
    const helper = await server.user('instructor');
    const member = `/api/classes/${classId}/members`;
    await good(server.post(member, admin.token, { user_id: helper.id, role: 'assistant' }));
    const watcher = await allowed(at, helper);
    watcher.type('echo as-an-a""ssistant\n');
    await at.owner.shows('as-an-assistant\r\n');
    await good(server.delete(`${member}/${helper.id}`, teacher.token));
    await next(at.owner, 'ended', () => watcher.type('echo as-a-str""anger\n'));
    assert.equal(lastOf(at.owner)?.['reason'], 'not_allowed');
    await next(watcher, 'ended', () => watcher.send({ type: 'ask_to_type' }));
    await ended(watcher, 'not_allowed');
    at.owner.type('exit\n');
    await at.owner.closed;
    assert.doesNotMatch(at.owner.output.toString(), /as-a-str/);
  });

  it('passes a long paste whole and in order', async () => {
    const at = await atTerminal();
    const watcher = await allowed(at);
    // Lines, because the terminal passes no part of one.
    const paste = `${'0123456789'.repeat(5)}\n`.repeat(4000);
    watcher.type(`stty -echo; echo re""ady; head -c ${paste.length} | sha256sum; stty sane\n`);
    await at.owner.shows('ready\r\n');
    for (let offset = 0; offset < paste.length; offset += 5000) watcher.type(paste.slice(offset, offset + 5000));
    await at.owner.shows(createHash('sha256').update(paste).digest('hex'));
    at.owner.type('exit\n');
    await watcher.closed;
  });

  // Long: one exam, without and with the permission, its recording, its pause and its end.
  it('is possible in an exam only where its session allows hands, and is marked in the recording', async () => {
    const user = await pupil();
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const session = await openSession(server, teacher, { exam_id, class_id: classId });
    const started = await good(server.post(`/api/exams/${exam_id}/start`, user.token, { session_id: session.id }));
    const id: number = started.container_id;
    const owner = await new TerminalClient(urlOf(id, user, 0), v1).ready();
    const at: Opened = { owner, id, user, url: (one, query) => urlOf(id, one, one === user ? 0 : 1, query) };
    const watcher = await watch(at);
    await next(watcher, 'ended', () => watcher.send({ type: 'ask_to_type' }));
    await ended(watcher, 'not_allowed');
    assert.equal(lastOf(owner), undefined);

    const path = `/api/exam-sessions/${session.id}`;
    await good(server.put(path, teacher.token, { has_hands: true }));
    await next(owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    await next(watcher, 'active', () => owner.send({ type: 'allow_typing' }));
    watcher.type('echo in-the-e""xam\n');
    await owner.shows('in-the-exam\r\n');
    owner.type('echo my-o""wn\n');
    await owner.shows('my-own\r\n');
    await next(owner, 'ended', () => void server.post(`${path}/pause`, teacher.token));
    assert.equal(lastOf(owner)?.['reason'], 'held');
    await next(watcher, 'ended', () => watcher.send({ type: 'ask_to_type' }));
    await ended(watcher, 'held');
    await good(server.post(`${path}/resume`, teacher.token));
    await owner.message('notice', ({ reason }) => reason === 'released');

    await next(owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    await next(watcher, 'active', () => owner.send({ type: 'allow_typing' }));
    await good(server.post(`/api/exams/${exam_id}/submit`, user.token));
    assert.equal((await watcher.closed).code, 4410);
    const recordings = `/api/instructor/attempts/${started.attempt_id}/recordings`;
    await until(async () => (await good(server.get(recordings, teacher.token)))[0]?.ended_at, 'the recording');
    const [recording] = await good(server.get(recordings, teacher.token));
    const { text } = await server.get(`/api/instructor/recordings/${recording.id}`, teacher.token);
    const [, ...events] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [helper, student] = [teacher.username, user.username];
    const round = [`${helper} types along, as ${student} has allowed`, `${helper} no longer types along`];
    assert.deepEqual(
      events.filter(([, code]) => code === 'm').map(([, , data]) => data),
      [round[0], `${helper} types`, `${student} types`, round[1], ...round],
    );
    const [entry] = await logged('terminal_type', user.id);
    assert.deepEqual(entry?.details, { kind: 'exam', attempt_id: started.attempt_id });
  });

  it('leaves the input of the user counted in the process that takes the shell over', async () => {
    await using pair = await TestServer.start({}, {}, 2);
    const [user, helper] = [await pair.user(), await pair.user('admin')];
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await pair.application.db.insertInto('sandbox_templates').values(template).execute();
    const { id } = await good(pair.post('/api/containers/create', user.token, {}));
    const connect = (process: number, { token }: TestUser, query = '') =>
      new TerminalClient(`${pair.urls[process]}/ws/terminal/${id}?token=${token}${query}`, v1);
    const owner = await connect(0, user).ready();
    const { session_id } = await owner.message('ready');
    const watcher = connect(0, helper);
    await watcher.message('ready');
    await next(owner, 'asked', () => watcher.send({ type: 'ask_to_type' }));
    await next(watcher, 'active', () => owner.send({ type: 'allow_typing' }));
    watcher.type('echo of-the-h""elper\n');
    await owner.shows('of-the-helper\r\n');
    owner.type('echo mi""ne\n');
    await owner.shows('mine\r\n');
    await pair.application[Symbol.asyncDispose]();
    assert.equal((await owner.closed).code, 1001);
    const again = connect(1, user, `&session=${session_id}`);
    assert.equal((await again.message('ready'))['input_bytes'], 'echo mi""ne\n'.length);
    again.type('exit\n');
    assert.equal((await again.closed).code, 1000);
  });
});
