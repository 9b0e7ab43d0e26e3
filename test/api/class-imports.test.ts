import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const header = 'username,email,full_name,role\n';

describe('the import of members', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
    teacher = await server.user('instructor');
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (): Promise<number> =>
    (await server.post('/api/classes', teacher.token, { name: 'Imported' })).body.id;
  const run = (id: number, body: string, token: string | undefined = teacher.token) =>
    server.request('POST', `/api/classes/${id}/members/import`, {
      token,
      body,
      headers: { 'content-type': 'text/csv' },
    });
  const items = (answer: Answer) => {
    assert.equal(answer.status, 422, answer.text);
    return answer.body.detail.map((item: { loc: unknown[]; type: string }) => [item.loc.join('.'), item.type]);
  };
  const members = async (id: number) => (await server.get(`/api/classes/${id}`, admin.token)).body.member_count;
  const login = (username: string, password: string) =>
    server.post('/api/auth/login', undefined, { username, password });

  // Long: the whole answer is written out.
  it('adds users by username or address, and creates the others as students', async () => {
    const id = await create();
    const [named, addressed, member] = [await server.user(), await server.user(), await server.user()];
    await server.post(`/api/classes/${id}/members`, teacher.token, { user_id: member.id, role: 'assistant' });
    const answer = await run(
      id,
      `\uFEFF${header}${named.username.toUpperCase()},,,\r\n` +
        `,${addressed.email.toUpperCase()},,\r\n\r\n` +
        `import-new,import-new@school.lan,"Doe, ""J""",instructor\r\n` +
        `${member.username},${member.email},,student\r\n`,
    );
    assert.equal(answer.status, 200, answer.text);
    const shown = answer.body.map(({ password, ...rest }: Record<string, unknown>) => ({
      ...rest,
      has: password !== null,
    }));
    const created = answer.body[2];
    const user = ({ id: user_id, username, email }: TestUser) => ({ user_id, username, email, full_name: null });
    assert.deepEqual(shown, [
      { line: 2, outcome: 'added', ...user(named), role: 'student', has: false },
      { line: 3, outcome: 'added', ...user(addressed), role: 'student', has: false },
      {
        ...{ line: 5, outcome: 'created', user_id: created.user_id, username: 'import-new' },
        ...{ email: 'import-new@school.lan', full_name: 'Doe, "J"', role: 'instructor', has: true },
      },
      { line: 6, outcome: 'already_member', ...user(member), role: 'assistant', has: false },
    ]);
    const session = await login('import-new', created.password);
    assert.deepEqual([session.status, session.body.user.role], [200, 'student'], 'the role is that of the class');
    assert.equal(await members(id), 5);
    const { db } = server.application;
    const log = await db.selectFrom('activity_log').selectAll().where('actor_id', '=', teacher.id).execute();
    const types = log.map(({ type }) => type).filter((type) => type.includes('import') || type === 'class_user_create');
    assert.deepEqual(types.sort(), [...Array(3).fill('class_member_import'), 'class_user_create']);
    assert.ok(
      !JSON.stringify(log, (_, value) => (typeof value === 'bigint' ? `${value}` : value)).includes(created.password),
    );
    const again = await run(id, `username\n${named.username}\nimport-new\n`);
    assert.deepEqual(
      again.body.map(({ outcome, role }: Record<string, unknown>) => [outcome, role]),
      [
        ['already_member', 'student'],
        ['already_member', 'instructor'],
      ],
    );
  });

  it('changes nothing if there is a problem, and reports all problems of all lines', async () => {
    const id = await create();
    const [one, two] = [await server.user(), await server.user()];
    const good = 'import-fine,import-fine@example.com,Fine,student\n';
    const cases: [string, [string, string][]][] = [
      ['', [['body.1', 'value_error']]],
      [header, [['body.1', 'value_error']]],
      [`username,is_admin\n${one.username},1\n`, [['body.1', 'value_error']]],
      [`username,username\n${one.username},${one.username}\n`, [['body.1', 'value_error']]],
      [`${header}${good}too,few\n`, [['body.3', 'value_error']]],
      [`${header}${good}"open,x@example.com,x,student\n`, [['body.3', 'value_error']]],
      [
        `${header}x,no address,X,king\n${good}unknown-name,,,\n`,
        [
          ['body.2.username', 'string_too_short'],
          ['body.2.email', 'value_error'],
          ['body.2.role', 'enum'],
          ['body.4.email', 'missing'],
        ],
      ],
      [`${header}${good},somebody@example.com,,\n`, [['body.3.username', 'missing']]],
      [`${header}${one.username},${two.email},,\n${good}`, [['body.2.email', 'value_error']]],
      [`${header}${one.username},other@example.com,,\n${good}`, [['body.2.email', 'value_error']]],
      [`${header}${one.username},,,\n,${one.email},,\n`, [['body.3', 'value_error']]],
      [`${header}${good}IMPORT-FINE,x@example.com,,\n`, [['body.3', 'value_error']]],
      [`${header}${good}fine-2,Import-Fine@example.com,,\n`, [['body.3', 'value_error']]],
      [`${header}${'a,b,c,d\n'.repeat(501)}`, [['body.1', 'value_error']]],
    ];
    for (const [csv, expected] of cases)
      assert.deepEqual(items(await run(id, csv)).sort(), expected.sort(), csv.slice(0, 90));
    assert.equal(await members(id), 1);
    assert.equal((await server.get('/api/admin/users?q=import-fine', admin.token)).body.length, 0);
    assert.equal((await run(id, 'x'.repeat(1_100_000))).status, 413);
    const path = `/api/classes/${id}/members/import`;
    const xml = { token: teacher.token, body: '<x/>', headers: { 'content-type': 'application/xml' } };
    assert.equal((await server.request('POST', path, xml)).status, 415);
  });

  it('finds an account by its address alone as a student, unless an administrator imports', async () => {
    const id = await create();
    // Registered with the address of somebody else, which nobody verifies.
    const early = await server.user();
    const lines = `username,email,role\nsomebody-else,${early.email},\n,${(await server.user()).email},assistant\n`;
    assert.deepEqual(items(await run(id, lines)), [
      ['body.2.username', 'value_error'],
      ['body.3.email', 'value_error'],
    ]);
    assert.equal((await run(id, lines, admin.token)).status, 200);
    const known = await server.user();
    assert.equal((await run(id, `username,email,role\n${known.username},${known.email},assistant\n`)).status, 200);
  });

  it('is for instructors of the class, who are no students', async () => {
    const id = await create();
    const [helper, other] = [await server.user(), await server.user()];
    await server.post(`/api/classes/${id}/members`, teacher.token, { user_id: helper.id, role: 'instructor' });
    assert.equal((await run(id, `username\n${other.username}\n`, helper.token)).code, 'forbidden');
    assert.equal((await run(id, `username\n${other.username}\n`, other.token)).status, 404);
    assert.equal((await run(id, 'username\nx\n', (await server.user()).token)).status, 404);
    await server.put(`/api/classes/${id}`, teacher.token, { is_archived: true });
    assert.equal((await run(id, `username\n${other.username}\n`)).code, 'class_archived');
  });

  // Long: one class from three rosters, each of them read in full.
  it('reads a Canvas export, the one of its own grades, and the participants of Moodle', async () => {
    const id = await create();
    const canvas =
      'Student,ID,SIS User ID,SIS Login ID,Section,"Essay, part 1 (123)",Final Score\r\n' +
      ',,,,,Manual Posting,\r\n' +
      '    Points Possible,,,,,10,(read only)\r\n' +
      ',,,,,,\r\n' +
      '"Petrova, Anna",101,S1,roster.anna@example.com,"Group\r\nA",7,7\r\n' +
      '"O\'Neil, Max",102,S2,Roster.Anna@b.example.com,Group A,,\r\n' +
      '"Student, Test",103,,0123456789abcdef0123456789abcdef01234567,Group A,,\r\n';
    const send = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
      server.request('POST', `/api/classes/${id}/members/${path}`, {
        ...{ token: teacher.token, body, headers: { 'content-type': 'text/csv' } },
      });
    const checked = (await send('import/check', canvas)).body;
    assert.deepEqual([checked.problems, checked.outcomes], [[], { created: 2, known: 0 }]);
    assert.deepEqual(checked.left_out, [
      { line: 2, name: 'Manual Posting', reason: 'no_person' },
      { line: 3, name: 'Points Possible', reason: 'points' },
      { line: 8, name: 'Student, Test', reason: 'test_student' },
    ]);
    const names = ['roster.anna', 'roster.anna2'];
    assert.deepEqual(checked.usernames, { source: 'local_part', examples: names });
    const shown = ({ body, text }: Answer) => {
      assert.ok(Array.isArray(body), text);
      return body.map(({ username, full_name, outcome }: Record<string, unknown>) => [username, full_name, outcome]);
    };
    assert.deepEqual(shown(await send('import', canvas)), [
      [names[0], 'Anna Petrova', 'created'],
      [names[1], "Max O'Neil", 'created'],
    ]);
    const grades = await server.request('GET', `/api/classes/${id}/grades?format=canvas`, {
      ...{ token: teacher.token, headers: { accept: 'text/csv' } },
    });
    assert.deepEqual(shown(await send('import', grades.text)), [
      [names[0], 'Anna Petrova', 'already_member'],
      [names[1], "Max O'Neil", 'already_member'],
    ]);
    const german = 'Vorname;Nachname;E-Mail-Adresse;Gruppen;Rollen\nJörg;Müller;roster.jorg@example.com;A;Student\n';
    const utf16 = Buffer.from(`\uFEFF${german}`, 'utf16le');
    assert.deepEqual(shown(await send('import', Uint8Array.from(utf16))), [['roster.jorg', 'Jörg Müller', 'created']]);
    const russian =
      '\uFEFFИмя\tФамилия\tАдрес электронной почты\tГруппы\tПоследний доступ к курсу\n' +
      'Ольга\tСедова\troster.olga@example.com\t\t\n';
    assert.deepEqual(shown(await send('import?usernames=address', russian)), [
      ['roster.olga@example.com', 'Ольга Седова', 'created'],
    ]);
    assert.equal((await login('roster.jorg', 'x')).status, 401);
  });

  it('gives all new accounts usernames by one rule', async () => {
    const id = await create();
    const text = `${header}not valid!,rule-one@example.com,,\nзанято место,rule-two@example.com,,\n`;
    const check = async (rule: string) =>
      (
        await server.request('POST', `/api/classes/${id}/members/import/check?usernames=${rule}`, {
          ...{ token: teacher.token, body: text, headers: { 'content-type': 'text/csv' } },
        })
      ).body;
    const file = await check('file');
    assert.deepEqual(
      file.problems.map(({ line, code }: Record<string, unknown>) => [line, code]),
      [
        [2, 'username_invalid'],
        [3, 'username_invalid'],
      ],
    );
    assert.deepEqual((await check('local_part')).usernames.examples, ['rule-one', 'rule-two']);
    const whole = await check('address');
    assert.deepEqual(
      [whole.problems, whole.usernames.examples],
      [[], ['rule-one@example.com', 'rule-two@example.com']],
    );
  });

  it('is checked first, and invites new users where the caller says so', async () => {
    const id = await create();
    const one = await server.user();
    const send = (path: string, body: string) => {
      const options = { token: teacher.token, body, headers: { 'content-type': 'text/csv' } };
      return server.request('POST', `/api/classes/${id}/members/import${path}`, options);
    };
    const list = await send('/check', `${one.username}\n${admin.email}\n`);
    assert.deepEqual([list.body.has_header, list.body.outcomes], [false, { created: 0, known: 2 }], list.text);
    const wrong = await send('/check', 'Почта;Роль\nnobody@example.com;Ассистент\n');
    assert.deepEqual(
      wrong.body.problems.map(({ line, column, code }: Record<string, unknown>) => [line, column, code]),
      [[2, 'username', 'missing']],
    );
    const lines = Array.from({ length: 600 }, (_, index) => `guest-${index},guest-${index}@example.com\n`).join('');
    assert.equal((await send('/check', `username,email\n${lines}`)).body.problems[0].code, 'too_many_lines');
    const query = '?passwords=invitations';
    assert.equal((await send(`/check${query}`, `username,email\n${lines}`)).body.outcomes.created, 600);
    assert.equal(await members(id), 1);
    const { status, body, text } = await send(query, `username,email\n${one.username},\n${lines}`);
    assert.equal(status, 200, text);
    assert.deepEqual([body.length, body[0].invitation, body[1].password], [601, undefined, null]);
    const json = { code: body[1].invitation, password: 'a long password' };
    assert.equal((await server.post('/api/auth/invitation', undefined, json)).body.username, 'guest-0');
    assert.equal((await login('guest-0', 'a long password')).status, 200);
  });

  it('issues new invitations to those who have no password yet', async () => {
    const id = await create();
    const known = await server.user();
    const path = `/api/classes/${id}/members/import?passwords=invitations`;
    const body = `username,email\nguest-again,guest-again@example.com\n${known.username},\n`;
    const options = { token: teacher.token, body, headers: { 'content-type': 'text/csv' } };
    const [guest] = (await server.request('POST', path, options)).body;
    const inviting = (userId: number, token = teacher.token) =>
      server.post(`/api/classes/${id}/members/${userId}/invitation`, token);
    const issued = await inviting(guest.user_id);
    assert.equal(issued.status, 201, issued.text);
    assert.deepEqual([issued.body.username, issued.body.email], ['guest-again', 'guest-again@example.com']);
    const open = (code: string, password?: string) =>
      server.post('/api/auth/invitation', undefined, { code, ...(password === undefined ? {} : { password }) });
    assert.equal((await open(guest.invitation)).status, 403, 'the earlier code is not valid any more');
    for (const [userId, token, status] of [
      [known.id, teacher.token, 409],
      [guest.user_id, known.token, 403],
      [admin.id, teacher.token, 404],
      [guest.user_id, (await server.user('instructor')).token, 403],
    ] as const)
      assert.equal((await inviting(userId, token)).status, status, `${userId}`);
    assert.equal((await open(issued.body.code, 'a long password')).status, 200);
    // From now on the instructor could take over the account.
    const late = await inviting(guest.user_id);
    assert.deepEqual([late.status, late.code], [409, 'member_has_password']);
    // An administrator's invitation in place of a forgotten password is not the instructor's either.
    assert.equal((await server.post(`/api/admin/users/${guest.user_id}/invitation`, admin.token)).status, 201);
    assert.equal((await inviting(guest.user_id)).status, 409);
    await server.put(`/api/classes/${id}`, teacher.token, { is_archived: true });
    assert.equal((await inviting(guest.user_id)).code, 'class_archived');
  });

  it('is whole or nothing among concurrent imports of the same new users', async () => {
    const ids = [await create(), await create(), await create()];
    const lines = Array.from({ length: 12 }, (_, index) => `crowd-${index},crowd-${index}@example.com,,\n`);
    const answers = await Promise.all(
      ids.map((id, index) => run(id, header + (index % 2 === 0 ? lines : lines.toReversed()).join(''))),
    );
    for (const [index, { status, body, text }] of answers.entries()) {
      const isWhole = status === 200 && body.length === 12;
      assert.ok(isWhole || [400, 422].includes(status), text);
      assert.equal(await members(ids[index] ?? 0), isWhole ? 13 : 1);
    }
    assert.ok(answers.some(({ status }) => status === 200));
    assert.equal((await server.get('/api/admin/users?q=crowd-', admin.token)).body.length, 12);
  });
});
