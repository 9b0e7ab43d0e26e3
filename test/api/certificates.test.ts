import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { codedItems, TestServer, type TestUser } from '../server.ts';

describe('certificates', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let exam: number;
  let tasks: number[];
  const list = '/api/profile/certificates';

  before(async () => {
    server = await TestServer.start({ PUBLIC_URL: 'https://school.example.com' });
    admin = await server.user('admin');
    exam = await certifiedExam();
    tasks = (await good(server.get(`/api/admin/exams/${exam}`, admin.token))).tasks.map(({ id }: { id: number }) => id);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const certifiedExam = (more: object = {}) =>
    makeAssessment(server, admin, 'exam', ['echo PASS', 'echo PASS'], {
      ...{ title: 'Grundlagen, «Основы» & Ελληνικά', passing_score: 2, has_certificate: true },
      ...more,
    });
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<TestServer['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  async function refused(answer: ReturnType<TestServer['post']>, status: number, code: string): Promise<void> {
    const given = await answer;
    assert.deepEqual([given.status, given.code], [status, code], given.text);
  }
  const db = () => server.application.db;
  const create = ({ token }: TestUser, kind = 'exam', part_id = exam, name = 'Zoë Ångström') =>
    server.post(list, token, { kind, part_id, name });
  const isValid = async (id: string): Promise<boolean> =>
    (await good(server.get(`/api/certificates/${id}`))).withdrawn_at === null;
  const decide = (attempt: number, points_earned: number, revision: number) =>
    good(
      server.put(`/api/instructor/attempts/${attempt}/results/${tasks[1]}`, admin.token, {
        ...{ points_earned, reason: 'Looked at again', revision },
      }),
    );
  /** A student who has passed the exam, and the certificate. */
  async function certified() {
    const student = await server.user();
    const attempt = await finishAttempt(server, student, 'exam', exam, [true, true]);
    const { id } = await good(create(student));
    return { student, attempt, id: String(id) };
  }

  it('can be created for a passed exam, once', async () => {
    const student = await server.user();
    assert.deepEqual(await good(server.get(list, student.token)), []);
    await refused(create(student), 409, 'no_certificate');
    await finishAttempt(server, student, 'exam', exam, [true, false]);
    await refused(create(student), 409, 'no_certificate');
    const attempt = await finishAttempt(server, student, 'exam', exam, [true, true]);
    const [{ earned_at, ...open }] = await good(server.get(list, student.token));
    assert.deepEqual(open, {
      ...{ id: null, kind: 'exam', title: 'Grundlagen, «Основы» & Ελληνικά', part_id: exam, attempt_id: attempt },
      ...{ name: null, created_at: null, withdrawn_at: null },
    });
    const made = await Promise.all([create(student), create(student)]);
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409]);
    const own = await good(server.get(list, student.token));
    const { id, created_at } = own[0];
    assert.deepEqual(own, [{ ...open, id, name: 'Zoë Ångström', earned_at, created_at }]);
    assert.deepEqual(await good(server.get(`/api/certificates/${id}`)), {
      ...{ id, kind: 'exam', title: open.title, earned_at, name: 'Zoë Ångström', issuer: 'Learning platform' },
      ...{ created_at, withdrawn_at: null },
    });
  });

  it('are not given where nobody has switched them on, before results are shown, and to test students', async () => {
    const student = await server.user();
    const plain = await certifiedExam({ has_certificate: false });
    await finishAttempt(server, student, 'exam', plain, [true, true]);
    await refused(create(student, 'exam', plain), 409, 'no_certificate');
    const { revision } = await good(server.get(`/api/admin/exams/${plain}`, admin.token));
    const on = await good(server.put(`/api/admin/exams/${plain}`, admin.token, { has_certificate: true }));
    assert.deepEqual([on.has_certificate, on.revision], [true, revision]);
    await good(server.put(`/api/admin/exams/${plain}`, admin.token, { has_certificate: false }));
    await refused(create(student, 'exam', 2_000_000_000), 409, 'no_certificate');
    const class_id = await schoolClass(server, await server.user('instructor'), [student]);
    const plan = { exam_id: exam, class_id, results_visible: 'when_released' };
    const session = await openSession(server, admin, plan);
    const attempt = await finishAttempt(server, student, 'exam', exam, [true, true]);
    await db().updateTable('attempts').set({ session_id: session.id }).where('id', '=', attempt).execute();
    await refused(create(student), 409, 'no_certificate');
    await good(server.post(`/api/exam-sessions/${session.id}/release`, admin.token));
    await good(create(student));
    const view = await good(server.post('/api/teaching/test-student/view', admin.token));
    await finishAttempt(server, { ...admin, id: -admin.id }, 'exam', exam, [true, true]);
    assert.deepEqual(await good(server.get(list, view.access_token)), []);
  });

  it('are withdrawn with the grade, and another one can be created when it is back', async () => {
    const { student, attempt, id } = await certified();
    await decide(attempt, 0, 0);
    assert.equal(await isValid(id), false);
    await refused(create(student), 409, 'no_certificate');
    for (const path of ['pdf', 'credential'])
      await refused(server.get(`${list}/${id}/${path}`, student.token), 409, 'certificate_withdrawn');
    await decide(attempt, 2, 1);
    assert.equal(await isValid(id), false);
    const again = await good(create(student));
    assert.notEqual(again.id, id);
    const own = await good(server.get(list, student.token));
    assert.deepEqual(
      own.map((one: { id: string; withdrawn_at: string | null }) => [one.id, one.withdrawn_at === null]),
      [
        [again.id, true],
        [id, false],
      ],
    );
  });

  it('are withdrawn with their attempt, and while it is open again', async () => {
    const [reopened, deleted] = [await certified(), await certified()];
    await db()
      .updateTable('attempts')
      .set({ status: 'in_progress', passed: null, score: null })
      .where('id', '=', reopened.attempt)
      .execute();
    await db().deleteFrom('attempts').where('id', '=', deleted.attempt).execute();
    assert.deepEqual([await isValid(reopened.id), await isValid(deleted.id)], [false, false]);
  });

  it('tell nobody whose they were once the account is deleted', async () => {
    const { student, id } = await certified();
    await good(server.delete(`/api/admin/users/${student.id}`, admin.token));
    const { name, withdrawn_at } = await good(server.get(`/api/certificates/${id}`));
    assert.deepEqual([name, typeof withdrawn_at], [null, 'string']);
  });

  it('follow the attempt that counts in a session', async () => {
    const student = await server.user();
    const class_id = await schoolClass(server, admin, [student]);
    const session = await openSession(server, admin, { exam_id: exam, class_id, counted_attempt: 'last' });
    const first = await finishAttempt(server, student, 'exam', exam, [true, true]);
    await db().updateTable('attempts').set({ session_id: session.id }).where('id', '=', first).execute();
    const { id } = await good(create(student));
    const second = await runAttempt(server, student, session);
    assert.equal(await isValid(id), true);
    const failed = { status: 'finished', score: 0, passed: false, submitted_at: new Date() } as const;
    await db().updateTable('attempts').set(failed).where('id', '=', second).execute();
    assert.equal(await isValid(id), false);
    await refused(create(student), 409, 'no_certificate');
    await good(server.put(`/api/exam-sessions/${session.id}`, admin.token, { counted_attempt: 'best' }));
    const best = await good(create(student));
    await good(server.put(`/api/exam-sessions/${session.id}`, admin.token, { counted_attempt: 'last' }));
    assert.equal(await isValid(best.id), false);
  });

  it('are given for a course with all lessons and laboratories', async () => {
    const [student, fresh] = [
      await server.user(),
      (path: string, fields: object) => server.post(path, admin.token, fields),
    ];
    const course = await good(fresh('/api/admin/lessons/courses', { name: 'Shell', has_certificate: true }));
    const section = await good(fresh('/api/admin/lessons/sections', { name: 'Files', course_id: course.id }));
    const lesson = { title: 'Files', section_id: section.id, markdown_file_path: 'a.md' };
    const theme = await good(fresh('/api/admin/lessons/themes', lesson));
    const laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id: section.id });
    const hidden = await good(
      fresh('/api/admin/lessons/sections', { name: 'Draft', course_id: course.id, is_active: false }),
    );
    await good(fresh('/api/admin/lessons/themes', { ...lesson, section_id: hidden.id }));
    await good(server.post(`/api/lessons/themes/${theme.id}/complete`, student.token));
    await refused(create(student, 'course', course.id), 409, 'no_certificate');
    const attempt = await finishAttempt(server, student, 'laboratory', laboratory, [true]);
    const { id, title, kind } = await good(create(student, 'course', course.id));
    assert.deepEqual([title, kind], ['Shell', 'course']);
    // What is added later takes nothing from who has finished.
    await good(fresh('/api/admin/lessons/themes', { ...lesson, title: 'More' }));
    await db().updateTable('attempts').set({ score: 1 }).where('id', '=', attempt).execute();
    assert.equal(await isValid(id), true);
    await db().updateTable('attempts').set({ passed: false }).where('id', '=', attempt).execute();
    assert.equal(await isValid(id), false);
  });

  it('have the name that the holder chooses, who can delete them', async () => {
    const { student, id } = await certified();
    for (const name of ['李雷', 'Line\nend', '\u0301\u0301', '...']) {
      const answer = await create(await server.user(), 'exam', exam, name);
      assert.deepEqual([answer.status, codedItems(answer)[0]?.code], [422, 'certificate_name']);
    }
    const other = await server.user();
    for (const path of ['pdf', 'credential'])
      await refused(server.get(`${list}/${id}/${path}`, other.token), 404, 'not_found');
    await refused(server.delete(`${list}/${id}`, other.token), 404, 'not_found');
    await good(server.delete(`${list}/${id}`, student.token));
    await refused(server.get(`/api/certificates/${id}`), 404, 'not_found');
    assert.equal((await good(create(student, 'exam', exam, 'Пётр Γεώργιος'))).name, 'Пётр Γεώργιος');
  });

  it('are a credential that the published key verifies', async () => {
    const { student, id } = await certified();
    const { text, headers } = await server.get(`${list}/${id}/credential`, student.token);
    assert.equal(headers.get('content-type'), 'application/jwt');
    const [header = '', claims = '', signature = ''] = text.split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const issuer = await good(server.get('/.well-known/did.json'));
    const [method] = issuer.verificationMethod;
    assert.deepEqual(read(header), { alg: 'EdDSA', kid: method.id, typ: 'JWT' });
    const key = createPublicKey({ key: method.publicKeyJwk, format: 'jwk' });
    assert.ok(verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')));
    const { iss, jti, sub, nbf, ...credential } = read(claims);
    const address = `https://school.example.com/api/certificates/${id}`;
    assert.deepEqual([iss, jti, sub], ['did:web:school.example.com', address, `urn:uuid:${id}`]);
    assert.deepEqual([issuer.id, credential.issuer.id, credential.id], [iss, iss, jti]);
    assert.equal(nbf * 1000, Date.parse(credential.validFrom));
    assert.equal(credential.credentialSubject.id, sub);
    assert.equal(credential.credentialSubject.identifier[0].identityHash, 'Zoë Ångström');
    assert.equal(credential.credentialSubject.achievement.id, `https://school.example.com/exams/${exam}`);
    for (const personal of [student.username, student.email]) assert.ok(!JSON.stringify(credential).includes(personal));
  });

  it('are found to be withdrawn by who knows only the credential and the published key', async () => {
    const [standing, graded, deleted] = [await certified(), await certified(), await certified()];
    const issuer = await good(server.get('/.well-known/did.json'));
    const key = createPublicKey({ key: issuer.verificationMethod[0].publicKeyJwk, format: 'jwk' });
    const opened = (token: string) => {
      const [header = '', claims = '', signature = ''] = token.split('.');
      assert.ok(verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')));
      return JSON.parse(Buffer.from(claims, 'base64url').toString());
    };
    const statusOf = async ({ student, id }: typeof standing) => {
      const { text } = await server.get(`${list}/${id}/credential`, student.token);
      return opened(text).credentialStatus;
    };
    const entries = await Promise.all([standing, graded, deleted].map(statusOf));
    assert.deepEqual([entries[0].type, entries[0].statusPurpose], ['BitstringStatusListEntry', 'revocation']);
    const withdrawn = async () => {
      const { origin, pathname } = new URL(entries[0].statusListCredential);
      const answer = await server.get(pathname);
      assert.deepEqual(
        [origin, answer.headers.get('content-type')],
        ['https://school.example.com', 'application/vc+jwt'],
      );
      assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
      const { id, type, credentialSubject } = opened(answer.text);
      assert.deepEqual([id, type[1]], [entries[0].statusListCredential, 'BitstringStatusListCredential']);
      assert.equal(credentialSubject.encodedList[0], 'u', 'base64url');
      const bits = gunzipSync(Buffer.from(credentialSubject.encodedList.slice(1), 'base64url'));
      assert.ok(bits.length * 8 >= 131_072);
      return entries.map(({ statusListIndex: at }) => ((bits[Math.floor(at / 8)] ?? 0) >> (7 - (at % 8))) & 1);
    };
    assert.deepEqual(await withdrawn(), [0, 0, 0]);
    await decide(graded.attempt, 0, 0);
    await good(server.delete(`${list}/${deleted.id}`, deleted.student.token));
    assert.deepEqual(await withdrawn(), [0, 1, 1]);
    await refused(server.get('/api/certificates/status/16384'), 422, 'validation');
  });

  it('can be verified by the pages of other sites', async () => {
    const { id } = await certified();
    const headers = { origin: 'https://verifier.example.org' };
    for (const path of ['/.well-known/did.json', `/api/certificates/${id}`, '/api/certificates/status/0']) {
      const answer = await server.request('GET', path, { headers });
      assert.deepEqual(
        [answer.status, ...['origin', 'credentials'].map((name) => answer.headers.get(`access-control-allow-${name}`))],
        [200, '*', null],
      );
    }
    const list = await server.request('GET', '/api/auth/providers', { headers });
    assert.equal(list.headers.get('access-control-allow-origin'), null);
  });

  it('are a PDF of one page with its own letters', async () => {
    const { student, id } = await certified();
    for (const [language, title] of [
      ['en', 'Certificate'],
      ['de', 'Zertifikat'],
      ['ru', 'Сертификат'],
    ] as const) {
      const answer = await server.get(`${list}/${id}/pdf?language=${language}`, student.token);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf']);
      const pdf = answer.bytes;
      const text = pdf.toString('latin1');
      assert.match(text, /^%PDF-1\.\d/);
      assert.equal(text.match(/\/Type \/Page\b/g)?.length, 1);
      assert.ok(text.includes(`https://school.example.com/verify/${id}`));
      assert.ok(pdf.includes(Buffer.from(`${title}: `, 'utf16le').swap16()), 'the title of the document');
      // Each script of the name, the title and the texts is embedded, cut to what is used.
      assert.ok((text.match(/\/FontFile2 /g)?.length ?? 0) >= 3);
      assert.ok(pdf.length < 100_000, `${pdf.length}`);
    }
    await refused(server.get(`${list}/${id}/pdf?language=fr`, student.token), 422, 'validation');
  });
});
