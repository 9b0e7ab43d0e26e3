import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong, isFull } from '../rounds.ts';
import { type Answer, engineSkip, type RequestOptions, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { pathOf, rows } from './access-matrix.ts';
import { LeakWorld, type People, type Victim } from './leak-world.ts';

type Call = RequestOptions & { operation: string; who: string; path: string };
/** The values of an answer, by their places in it. */
type Values = Map<string, unknown>;

/** What differs while machines of a test student run: they take capacity like all others, and administrators can remove them. */
const ofMachines = ['GET /api/admin/containers as admin ', 'GET /api/admin/stats as admin body.containers.'];
/** The size of the database grows with every row. */
const always = 'GET /api/admin/system as admin body.database.size_bytes';

/** All that others see is a part of what these do. */
const readers: readonly (keyof People | 'mine')[] = ['admin', 'instructor', 'otherStudent', 'mine'];
const furtherReaders: readonly (keyof People)[] = isFull ? ['assistant', 'otherInstructor'] : [];

/** Streams, the history of lessons, which Git does not write twice in the same way, and messages that are sent meanwhile. */
const isUncomparable = (operation: string): boolean => /\/(?:events|bundle|deliveries)$/.test(operation);

describeLong('what a test student does', { skip: engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let world: LeakWorld;
  let victim: Victim;
  let teacher: TestUser;
  let calls: Call[];
  before(async () => {
    // The cleanup would remove the records of containers that the engine does not have.
    server = await TestServer.start({ REQUESTS_PER_MINUTE: '1000000' });
    world = await LeakWorld.make(server);
    victim = await world.victim();
    teacher = world.people.instructor;
    calls = await callsOf(world.people, victim);
  });
  after(() => server?.[Symbol.asyncDispose]());

  /** Every read of the matrix, as staff, as another student and as a member of the class. What a row makes for itself is made now. */
  async function callsOf(people: People, of: Victim): Promise<Call[]> {
    const made: Call[] = [];
    for (const who of [...readers, ...furtherReaders])
      for (const [operation, , , , , , make] of rows) {
        if (!operation.startsWith('GET ') || isUncomparable(operation)) continue;
        const caller = who === 'mine' ? of.mine : people[who];
        const call = (await make?.(of, caller)) ?? pathOf(operation, of);
        made.push({ operation, who, token: caller.token, ...(typeof call === 'string' ? { path: call } : call) });
      }
    return made;
  }

  /** The answers to all calls, by the call. */
  async function answers(): Promise<Map<string, Values>> {
    const all = new Map<string, Values>();
    for (const { operation, who, path, ...options } of calls) {
      const answer = await server.request('GET', path, options);
      assert.ok(answer.status < 500, `${operation}: ${answer.text}`);
      all.set(`${operation} as ${who}`, valuesOf(answer));
    }
    return all;
  }

  const different = (one: Map<string, Values>, other: Map<string, Values>): string[] =>
    [...one].flatMap(([call, values]) => {
      const now = other.get(call) ?? new Map();
      const places = [...new Set([...values.keys(), ...now.keys()])];
      return places
        .filter((place) => values.get(place) !== now.get(place))
        .map((place) => `${call}${place}: ${values.get(place)} is ${now.get(place)}`);
    });
  const placeOf = (difference: string): string => difference.slice(0, difference.indexOf(': '));

  // Long: whatever a test student can do is one story, between two readings of everything that anybody can read.
  it('is in no answer to anybody, and leaves nothing behind', async () => {
    const { admin } = world.people;
    const failing = await makeAssessment(server, admin, 'exam', ['echo FAIL'], { course_id: victim.course });
    const first = await answers();
    // What changes by itself, such as the uptime, is no part of the comparison.
    const idle = new Set([always, ...different(first, await answers()).map(placeOf)]);
    const changed = (since: Map<string, Values>) => different(first, since).filter((one) => !idle.has(placeOf(one)));

    const { body: begun } = await server.post('/api/teaching/test-student/view', teacher.token);
    const token: string = begun.access_token;
    const does = async (method: string, path: string, json?: unknown): Promise<Answer['body']> => {
      const { status, body, text } = await server.request(method, path, { token, ...(json ? { json } : {}) });
      assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
      return body;
    };
    await does('POST', `/api/lessons/themes/${victim.theme}/complete`);
    await does('POST', '/api/notes', { theme_id: victim.theme, excerpt: 'A paragraph', text: 'Mine' });
    await does('POST', '/api/containers/create', { template_id: victim.template });
    const practice = await does('POST', `/api/laboratories/${victim.laboratory}/start`);
    await does('POST', `/api/laboratories/${victim.laboratory}/check`);
    const exam = await does('POST', `/api/exams/${victim.sessionExam}/start`, { session_id: victim.session });
    const whileRunning = await answers();
    await does('POST', `/api/exams/${victim.sessionExam}/submit`);
    await does('POST', `/api/laboratories/${victim.laboratory}/submit`);
    for (let count = 0; count < server.config.stuck.attempts; count += 1) {
      await does('POST', `/api/exams/${failing}/start`);
      await does('POST', `/api/exams/${failing}/submit`);
    }
    const given = await does('POST', `/api/exams/${victim.exam}/start`);
    await does('POST', `/api/exams/attempts/${given.attempt_id}/abandon`);
    const own: { status: string }[] = await does('GET', '/api/exams/attempts');
    assert.deepEqual(
      own.map(({ status }) => status),
      ['abandoned', ...Array(server.config.stuck.attempts + 1).fill('finished')],
    );

    const unexpected = (some: string[]) => some.filter((one) => !ofMachines.some((name) => one.startsWith(name)));
    const running = changed(whileRunning);
    assert.deepEqual(unexpected(running), []);
    assert.deepEqual(
      ofMachines.filter((name) => !running.some((one) => one.startsWith(name))),
      [],
      'The exceptions are needed',
    );
    assert.deepEqual(unexpected(changed(await answers())), []);
    for (const reader of [admin, teacher, world.people.otherInstructor])
      for (const [kind, id] of [
        ['exams', exam.attempt_id],
        ['laboratories', practice.attempt_id],
      ] as const) {
        assert.equal((await server.get(`/api/instructor/attempts/${id}`, reader.token)).status, 404);
        assert.equal((await server.get(`/api/${kind}/attempts/${id}/results`, reader.token)).status, 404);
      }
    assert.equal((await server.request('DELETE', '/api/teaching/test-student', { token: teacher.token })).status, 200);
    await until(
      async () => (await server.application.engine.list()).length === 0,
      'the end of the machines of the test student',
    );
    assert.deepEqual(changed(await answers()), []);
  });
});

function valuesOf({ status, headers, body, text }: Answer): Values {
  const values: Values = new Map<string, unknown>([
    [' status', status],
    [' total', headers.get('x-total-count')],
  ]);
  const add = (place: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) add(`${place}.${name}`, part);
    else values.set(place, value);
  };
  add(' body', body ?? text);
  return values;
}
