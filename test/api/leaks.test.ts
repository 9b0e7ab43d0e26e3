import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { ApiDocument } from '../documented-answers.ts';
import { describeLong, isFull } from '../rounds.ts';
import { type Answer, type RequestOptions, TestServer, type TestUser } from '../server.ts';
import { pathOf, type Row, rows, type Shown, shownIn } from './access-matrix.ts';
import { LeakWorld, type People, type Victim } from './leak-world.ts';

type Call = RequestOptions & { path: string };
type Who = keyof People | 'victim';

/** The students' data is not theirs, whatever the scope. The first ones change nothing; the last ones may delete what the others read. */
const callers: readonly Who[] = [
  ...(['otherStudent', 'otherAssistant', 'otherInstructor', 'helper', 'tutor', 'assistant', 'instructor'] as const),
  'admin',
  'victim',
];
const outsiders: readonly Who[] = ['otherAssistant', 'otherInstructor'];
const supervisors: readonly Who[] = ['assistant', 'instructor', 'admin'];

for (const scope of ['all', 'classes'] as const) {
  describeLong(`whose data each operation shows, with INSTRUCTOR_SCOPE=${scope}`, () => {
    let world: LeakWorld;
    let shared: Victim;
    before(async () => {
      // The cleanup would remove the records of containers that the engine does not have.
      const env = { INSTRUCTOR_SCOPE: scope, REQUESTS_PER_MINUTE: '1000000' };
      world = await LeakWorld.make(await TestServer.start(env));
      shared = await world.victim();
      // The titles of exams in lists of numbers are those of the latest attempts, here of somebody else.
      await world.victim();
    });
    after(() => world?.server[Symbol.asyncDispose]());

    const seesStudent = (who: Who, shown: Shown): boolean => {
      if (who === 'victim') return true;
      if (shown !== 'students' && shown !== 'members') return false;
      if (who === 'helper' || who === 'tutor') return shown === 'members';
      return supervisors.includes(who) || (scope === 'all' && outsiders.includes(who));
    };
    const seesClass = (who: Who): boolean =>
      supervisors.includes(who) ||
      ['victim', 'helper', 'tutor'].includes(who) ||
      (scope === 'all' && outsiders.includes(who));

    it('is declared for each existing operation', async () => {
      const { paths } = (await world.server.get('/api/openapi.json')).body as ApiDocument;
      const operations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const undeclared = operations.filter((operation) => shownIn(operation) === undefined);
      assert.deepEqual(undeclared, [], 'test/api/access-matrix.ts declares whose data each operation shows');
    });

    for (const row of rows.filter(isOfInterest)) {
      const [operation] = row;
      const shown = shownIn(operation) ?? 'nobody';
      // The scope decides about reads as about changes, each of which takes a student of its own.
      if (scope === 'all' && !operation.startsWith('GET ') && !isFull) continue;
      if (shown === 'administration' || shown === 'course') {
        it(`${operation}: ${shown}`, async () => {
          const call = await callOf(row, shared, shared.admin);
          for (const who of callers.filter((other) => other !== 'admin')) {
            const { status, text } = await send(operation, call, personOf(who, shared));
            assert.equal(status, shown === 'course' ? 404 : 403, `${who}: ${text}`);
          }
        });
        continue;
      }
      it(`${operation}: ${shown}`, async () => {
        // What only reads leaves the student as it was. The overview shows the latest students only.
        const isShared = operation.startsWith('GET ') && operation !== 'GET /api/instructor/overview';
        const victim = isShared ? shared : await world.victim();
        for (const who of callers) {
          const caller = personOf(who, victim);
          const call = await callOf(row, victim, caller);
          const answer = await send(operation, call, caller);
          check(call, answer, who, shown, victim);
          if (scope === 'classes' && outsiders.includes(who) && isOfOneStudent(operation, shown))
            await looksAbsent(operation, call, caller, answer);
          if (who === 'instructor' && isControl(operation, shown))
            assert.ok(textOf(call, answer).includes(victim.canary), `${operation} shows nothing`);
          // An administrator may do all of these.
          const others = who === 'admin' ? [] : attacks(operation, victim);
          for (const more of others) check(more, await send(operation, more, caller), who, shown, victim);
          if (operation.includes(' /api/exam-sessions/{id}')) await isAsForChosen(row, victim, who, shown);
        }
      });
    }

    /** What is shown of the session of a class is shown of one for chosen students, to its instructor instead of theirs. */
    async function isAsForChosen(row: Row, victim: Victim, who: Who, shown: Shown): Promise<void> {
      const [operation] = row;
      const caller = personOf(who, victim);
      const call = await callOf(row, { ...victim, session: victim.chosenSession }, caller);
      // Some operations make a session of their own.
      if (!call.path.includes(`/exam-sessions/${victim.chosenSession}`)) return;
      const answer = await send(operation, call, caller);
      check(call, answer, who, shown, victim);
      if (scope === 'all') return;
      if ([...outsiders, 'helper', 'tutor', 'assistant'].includes(who)) assert.equal(answer.status, 404, answer.text);
      if (who === 'instructor') assert.notEqual(answer.status, 403, answer.text);
    }

    const personOf = (who: Who, victim: Victim): TestUser => (who === 'victim' ? victim.mine : world.people[who]);

    function check(call: Call, answer: Answer, who: Who, shown: Shown, { canary, classCanary }: Victim): void {
      const text = textOf(call, answer);
      assert.notEqual(answer.status, 500, text);
      if (!seesStudent(who, shown))
        assert.ok(!text.includes(canary), `${who} sees the student: ${text.slice(0, 2000)}`);
      if (!seesClass(who)) assert.ok(!text.includes(classCanary), `${who} sees the class: ${text.slice(0, 2000)}`);
    }

    /** What is out of scope is answered as what does not exist. */
    async function looksAbsent(operation: string, call: Call, caller: TestUser, answer: Answer): Promise<void> {
      const absent = await send(operation, { ...call, path: call.path.replace(/\/\d+/, '/2000000000') }, caller);
      assert.equal(answer.status, 404, answer.text);
      assert.deepEqual([answer.status, answer.body], [absent.status, absent.body]);
    }

    async function callOf(row: Row, victim: Victim, caller: TestUser): Promise<Call> {
      const made = (await row[6]?.(victim, caller)) ?? pathOf(row[0], victim);
      return typeof made === 'string' ? { path: made } : made;
    }

    async function send(operation: string, { path, ...options }: Call, { token }: TestUser): Promise<Answer> {
      return await world.server.request(operation.split(' ')[0] ?? '', path, { ...options, token });
    }

    /** Requests for the student through the class of the others, and with each filter. */
    function attacks(operation: string, { mine, canary, exam, course, sandbox }: Victim): Call[] {
      const [, path = ''] = operation.split(' ');
      const filtered = (...queries: string[]) => queries.map((query) => ({ path: `${path}?${query}` }));
      const members = `/api/classes/${world.otherClass}/members`;
      const people = `user_id=${mine.id}`;
      const found = `search=${canary}`;
      const csv = (text: string): Call => ({
        ...{ path: `${members}/import`, headers: { 'content-type': 'text/csv' }, body: `${text}\n` },
      });
      const known: Record<string, Call[]> = {
        'GET /api/instructor/attempts': filtered(
          ...[people, found, `exam_id=${exam}`, `course_id=${course}`, 'from=2020-01-01', 'passed=true&kind=exam'],
          `${people}&${found}`,
        ),
        'GET /api/instructor/attempts/export': filtered(people, found, `exam_id=${exam}`, 'status=finished'),
        'GET /api/instructor/containers': filtered(
          people,
          `container_id=${sandbox}`,
          `exam_id=${exam}`,
          'kind=sandbox',
        ),
        'GET /api/instructor/exams/{id}/grade-book': [
          { path: `/api/instructor/exams/${exam}/grade-book?${found}` },
          { path: `/api/instructor/exams/${exam}/grade-book?attempt=latest&page_size=1` },
        ],
        'GET /api/classes': filtered('q=0classcanary', 'is_archived=false'),
        'GET /api/classes/{id}/members': [{ path: `${members}?q=${canary}` }],
        'POST /api/classes/{id}/members': [
          { path: members, json: { user_id: mine.id } },
          ...[mine.username, mine.email].map((username) => ({ path: members, json: { username, role: 'assistant' } })),
        ],
        'PUT /api/classes/{id}/members/{user_id}': [{ path: `${members}/${mine.id}`, json: { role: 'assistant' } }],
        'POST /api/classes/{id}/members/{user_id}/invitation': [{ path: `${members}/${mine.id}/invitation` }],
        'DELETE /api/classes/{id}/members/{user_id}': [{ path: `${members}/${mine.id}` }],
        'POST /api/classes/{id}/members/import': [
          ...[csv(`username\n${mine.username}`), csv(`email\n${mine.email}`)],
          csv(`username,email\nsomebody-else,${mine.email}`),
        ],
        // Its answer has examples of the file, so the file has another spelling of the name.
        'POST /api/classes/{id}/members/import/check': [
          { ...csv(`username\n${mine.username.toUpperCase()}`), path: `${members}/import/check` },
        ],
      };
      return known[operation] ?? [];
    }

    it('counts and searches no other students', async () => {
      const victim = await world.victim();
      const { otherInstructor, otherAssistant, instructor } = world.people;
      const isSeen = scope === 'all';
      const total = async (path: string, { token }: TestUser) => {
        const { headers, text, status } = await world.server.get(path, token);
        assert.equal(status, 200, text);
        return Number(headers.get('x-total-count'));
      };
      for (const path of [
        `/api/instructor/attempts?user_id=${victim.mine.id}`,
        `/api/instructor/attempts?search=${victim.canary}`,
        `/api/instructor/containers?user_id=${victim.mine.id}`,
        `/api/instructor/exams/${victim.exam}/grade-book?search=${victim.canary}`,
        `/api/instructor/laboratories/${victim.laboratory}/grade-book?search=${victim.canary}`,
        `/api/classes?q=${victim.classCanary}`,
      ]) {
        assert.notEqual(await total(path, instructor), 0, path);
        assert.equal((await total(path, otherInstructor)) > 0, isSeen, path);
        assert.equal((await total(path, otherAssistant)) > 0, isSeen, path);
      }
      type Listed = { kind: string; id: number; students: number };
      const subjects = async ({ token }: TestUser): Promise<Listed[]> =>
        (await world.server.get('/api/instructor/subjects', token)).body;
      // Their own student has started some of them as well.
      assert.deepEqual(
        (await subjects(otherInstructor)).some(({ students }) => students > 1),
        isSeen,
      );
      const started = (await subjects(instructor)).filter(({ students }) => students > 0);
      for (const [kind, id] of [['exam', victim.exam] as const, ['laboratory', victim.laboratory] as const])
        assert.ok(
          started.some((assessment) => assessment.kind === kind && assessment.id === id),
          `${kind} ${id}`,
        );
    });
  });
}

/** Whether an operation takes an id or shows data. The others are of the caller, and some of them end the session. */
function isOfInterest([operation]: Row): boolean {
  return operation.startsWith('GET ') || operation.includes('{');
}

/** Whether an operation takes the id of what belongs to one student or class. */
const isOfOneStudent = (operation: string, shown: Shown): boolean =>
  operation.includes('{') && ['students', 'members', 'class'].includes(shown) && !operation.includes('grade-book');

/** All of an answer. The links of a list repeat the search. */
const textOf = ({ path }: Call, { text, headers }: Answer): string =>
  [text, ...[...headers].filter(([name]) => name !== 'link' || !path.includes('canary')).flat()].join('\n');

/** Whether an instructor of the class must see the student's names there. A list of recordings contains none. */
const isControl = (operation: string, shown: Shown): boolean =>
  operation.startsWith('GET ') && ['students', 'members'].includes(shown) && !operation.endsWith('/recordings');
