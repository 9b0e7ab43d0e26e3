import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser } from '../server.ts';

type Person = { line: number; username: string; full_name: string | null; outcome: string };
type LeftOut = { line: number; name: string; reason: string };

/** What each file of `test/fixtures/rosters` is read as: a line's username and full name, and the lines that are no people. */
const expected: Record<string, { people: [string, string][]; leftOut: [number, string, string][] }> = {
  'canvas-gradebook': {
    people: [
      ['minh.vu', 'Minh Anh Vu'],
      ['zoe', "Zoë O'Neil-Nair"],
    ],
    leftOut: [
      [2, 'Manual Posting', 'no_person'],
      [3, 'Points Possible', 'points'],
      [7, 'Student, Test', 'test_student'],
    ],
  },
  'canvas-gradebook-de': {
    people: [
      ['joerg.mueller', 'Jörg Müller'],
      ['anna.strasse', 'Anna Straße'],
    ],
    leftOut: [
      [2, 'Points Possible', 'points'],
      [5, 'Teilnehmer, Test', 'test_student'],
    ],
  },
  'canvas-two-names': { people: [['yui.tanaka', 'Yui Tanaka']], leftOut: [[2, 'Points Possible', 'points']] },
  'moodle-grades': {
    people: [
      ['anne.able', 'Anne Able'],
      ['bobby', 'Bobby Bunce'],
    ],
    leftOut: [],
  },
  'moodle-participants': {
    people: [
      ['anne.able', 'Anne Able'],
      ['anne.able2', 'Carol Cox'],
    ],
    leftOut: [],
  },
  'moodle-grades-de': { people: [['aenne.gross', 'Änne Groß']], leftOut: [] },
  'moodle-grades-ru': {
    people: [
      ['olga.sedova', 'Седова Ольга Игоревна'],
      ['ёлкин', 'Ёлкин Пётр'],
    ],
    leftOut: [],
  },
  'last-first': {
    people: [
      ['anna.petrova', 'Anna Petrova'],
      ['jr', 'J. R. Smith'],
      ['a-names', 'Văn A Nguyễn'],
    ],
    leftOut: [],
  },
};

describe('rosters as they are exported', () => {
  let server: TestServer;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start();
    teacher = await server.user('instructor');
  });
  after(() => server[Symbol.asyncDispose]());

  const open = async () => {
    const { body } = await server.post('/api/classes', teacher.token, { name: 'Roster' });
    const path = `/api/classes/${body.id}`;
    const send = (of: '/check' | '', text: string | Uint8Array<ArrayBuffer>) =>
      server.request('POST', `${path}/members/import${of}`, {
        ...{ token: teacher.token, body: text, headers: { 'content-type': 'text/csv' } },
      });
    return { path, send };
  };
  const fixture = (name: string) =>
    Uint8Array.from(readFileSync(new URL(`../fixtures/rosters/${name}.csv`, import.meta.url)));
  const named = (people: Person[]) => people.map(({ username, full_name }) => [username, full_name]);

  for (const [name, { people, leftOut }] of Object.entries(expected))
    it(`reads ${name}.csv, shows each line before and then imports what it showed`, async () => {
      const { send } = await open();
      const bytes = fixture(name);
      const { body, text } = await send('/check', bytes);
      const left = body.left_out.map(({ line, name: shown, reason }: LeftOut) => [line, shown, reason]);
      assert.deepEqual(left, leftOut, text);
      const shown = body.people as Person[];
      // A login that is no address needs an address, which this export does not have.
      if (name === 'canvas-gradebook') {
        assert.deepEqual(named(shown), [...people, ['mdelacruz', 'María de la Cruz']]);
        const [problem] = body.problems;
        assert.deepEqual([problem.line, problem.column, problem.code, body.problem_count], [6, 'email', 'missing', 1]);
        return;
      }
      assert.deepEqual([body.problems, named(shown)], [[], people]);
      const imported = await send('', bytes);
      assert.equal(imported.status, 200, imported.text);
      assert.deepEqual(named(imported.body), people);
      const again = await send('/check', bytes);
      assert.ok(
        (again.body.people as Person[]).every(({ outcome }) => outcome === 'known'),
        again.text,
      );
      assert.deepEqual(
        named(again.body.people).map(([username]) => username),
        people.map(([username]) => username),
      );
    });

  it('reads names and addresses without what lists bring along', async () => {
    const { send } = await open();
    const csv = `name,e-mail\n"Ada\nByron",\u200bada@xn--bcher-kva.de\u00a0\nBob\u00a0Moor,bob@bücher.de\n`;
    const { body, text } = await send('/check', csv);
    const people = (body.people as (Person & { email: string })[]).map((one) => [one.full_name, one.email]);
    const twice = await send('/check', `${csv}Ada,ada@bücher.de\n`);
    assert.deepEqual(
      people,
      [
        ['Ada Byron', 'ada@bücher.de'],
        ['Bob Moor', 'bob@bücher.de'],
      ],
      text,
    );
    assert.deepEqual(
      twice.body.problems.map(({ line, code }: { line: number; code: string }) => [line, code]),
      [[5, 'user_twice']],
    );
  });

  it('reads each of its own grade exports back', async () => {
    const { path, send } = await open();
    const first = await send('', 'username,email,full_name\nback-one,back-one@example.com,"Doe, Jane"\n');
    const [{ user_id: id }] = first.body;
    const column = { name: 'Talk', kind: 'points', max_score: 5 };
    assert.equal((await server.post(`${path}/grade-columns`, teacher.token, column)).status, 201);
    for (const format of ['all', 'columns', 'moodle', 'canvas']) {
      const csv = await server.request('GET', `${path}/grades?format=${format}`, {
        ...{ token: teacher.token, headers: { accept: 'text/csv' } },
      });
      const { body, status, text } = await send('', csv.text);
      assert.deepEqual([status, body[0]?.user_id, body[0]?.outcome], [200, id, 'already_member'], `${format} ${text}`);
    }
    const typed = 'username,email,full_name,points\nback-two,back-two@example.com,Two,1\n';
    assert.equal((await send('', typed)).status, 422, 'an unknown column of another file is a mistake');
  });

  it('does not name an account that the instructor may not add', async () => {
    await using scoped = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    const [owner, stranger] = [await scoped.user('instructor'), await scoped.user('instructor')];
    const { id } = (await scoped.post('/api/classes', owner.token, { name: 'Roster' })).body;
    const { body } = await scoped.request('POST', `/api/classes/${id}/members/import/check`, {
      ...{ token: owner.token, headers: { 'content-type': 'text/csv' } },
      body: `email,full_name\n${stranger.email},Anybody\n`,
    });
    assert.deepEqual(
      body.people.map(({ username, outcome }: Person) => [username, outcome]),
      [['', 'known']],
    );
    assert.equal(body.problems[0].code, 'account_unreachable');
  });
});
