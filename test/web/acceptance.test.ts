import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { good } from '../grading-class.ts';
import { LtiPlatform, ltiRoles } from '../lti/platform.ts';
import { image, makeAssessment } from '../made-assessment.ts';
import { MailServer } from '../mail-server.ts';
import { withProviders } from '../oidc/logins.ts';
import { SchoolProvider, schoolClient } from '../oidc/school-provider.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { answer, browserSkip, goTo, logIn, Visitors } from './browser.ts';

const password = 'a good password';
const question = { kind: 'answer', title: 'Size', points: 2, accepted: ['4096'], is_numeric: true };
const withoutEngine = { engine: { reason: 'this test has none' } };

/** An exam with one question, for which no machine is needed. */
async function makeExam(server: TestServer, admin: TestUser): Promise<number> {
  const exam = await makeAssessment(server, admin, 'exam', [], { title: 'Final', passing_score: 2 });
  await good(server.post(`/api/admin/exams/${exam}/tasks`, admin.token, question));
  return exam;
}
/** Takes the exam on the page that shows it. */
async function takeExam(page: Page, size: string, access = ''): Promise<void> {
  await page.getByRole('button', { name: 'Start the exam' }).click();
  if (access !== '') await page.getByRole('alertdialog').getByLabel('Access code').fill(access);
  await answer(page, 'Start');
  const task = page.getByRole('article', { name: /^\d\. Size/ });
  await task.getByRole('textbox').fill(size);
  await task.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await answer(page, 'Submit');
  await page.waitForURL(/\/exams\/results\/\d+$/);
}
async function release(page: Page, classId: number): Promise<void> {
  await page.goto(`/classes/${classId}?tab=exams`);
  await page.getByRole('button', { name: 'Actions for Final' }).click();
  await page.getByRole('menuitem', { name: 'Release the results', exact: true }).click();
  await answer(page, 'Release the results');
  await page.getByText('The results of Final are released.', { exact: true }).waitFor();
}

describe('an installation, as its new users meet it', { skip: browserSkip || engineSkip, timeout: 900_000 }, () => {
  // Long: everybody's way, from the administrator's first page to the grade in the book of the platform.
  itLong('where everybody comes from an identity provider, and a class from a learning platform', async (t) => {
    await using server = await TestServer.start({ ...withProviders, mailRoundSeconds: 1 }, withoutEngine);
    await using school = await new SchoolProvider(server.url, ['school']).start();
    await using platform = await LtiPlatform.listen();
    const at = (path: string): string => `${server.url}/api/lti/${path}`;
    platform.tool = { login: at('login'), redirects: [at('launch')], keys: at('keys') };
    const person = (user_id: string, role: string) => ({
      ...{ user_id, roles: [role], name: `Name of ${user_id}`, email: `${user_id}@school.example.com` },
    });
    const teacher = person('teacher', ltiRoles.instructor);
    const [anna, boris] = [person('anna', ltiRoles.learner), person('boris', ltiRoles.learner)];
    platform.people = [teacher, anna, boris];
    const visitors = new Visitors(server);
    const admin = await server.user('admin');
    await makeExam(server, admin);
    await setUp(await visitors.comeAs(t, admin, '/administration/identity-providers'), school, platform);

    const page = await visitors.come(t, { isNew: true });
    await comeFromSchool(page, server, 'teacher');
    const launch = (on: Page, user: typeof teacher) =>
      on.goto(`${at('login')}?${platform.begin({ user, link: 'link' })}`);
    await launch(page, teacher);
    await page.getByRole('button', { name: 'Use this class' }).click();
    await page.getByText('The class has no lessons').waitFor();
    const { id: classId } = await server.application.db.selectFrom('classes').select('id').executeTakeFirstOrThrow();
    await page.goto(`${server.url}/plan-exam?class_id=${classId}`);
    const main = page.getByRole('main');
    await main.getByLabel('Exam', { exact: true }).selectOption('Final');
    await main.getByLabel('Opens').fill('2026-01-05T09:00');
    await main.getByLabel('Closes').fill('2099-01-05T09:00');
    await main.getByLabel('Results for students').selectOption('When they are released');
    await main.getByRole('button', { name: 'Plan an exam session' }).click();
    await main.getByRole('heading', { name: 'Final is planned' }).waitFor();
    await launch(page, teacher);
    await page.getByRole('button', { name: 'Choose Final' }).click();
    await page.getByRole('heading', { name: 'Final' }).first().waitFor();

    for (const [student, size] of [
      [anna, '4096'],
      [boris, '512'],
    ] as const) {
      const pupil = await visitors.come(t, { isNew: true });
      await launch(pupil, student);
      await takeExam(pupil, size);
    }
    const grades = () => ['anna', 'boris'].map((id) => platform.grade(1, id));
    assert.deepEqual(grades(), [undefined, undefined], 'not before the release');
    await release(page, classId);
    await until(
      () => grades().every((grade) => grade !== undefined),
      () => `the grades in the book, which has ${grades()}`,
      60_000,
    );
    assert.deepEqual(grades(), [2, 0]);
    const { rows } = { rows: await server.application.db.selectFrom('users').select(['email', 'role']).execute() };
    const ofSchool = rows.filter(({ email }) => email.endsWith('@school.example.com'));
    assert.deepEqual(ofSchool.map(({ role }) => role).sort(), ['instructor', 'student', 'student'], 'each one account');
  });

  // Long: from the first mail to that of the results.
  itLong('where everybody is invited by mail', async (t) => {
    await using smtp = await MailServer.listen();
    await using server = await TestServer.start(
      {
        ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`, MAIL_SENDER: 'noreply@school.example.com' },
        ...{ PUBLIC_URL: 'https://school.example.com', mailRoundSeconds: 0.2, mailDelaySeconds: 0 },
      },
      withoutEngine,
    );
    const visitors = new Visitors(server);
    const [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    const address = 'anna@example.com';
    const linkIn = async (subject: RegExp): Promise<string> =>
      /https:\/\/school\.example\.com(\/\S+#\S+)/.exec((await smtp.next(address, subject)).text)?.[1] ??
      assert.fail('no link');
    const desk = await visitors.comeAs(t, admin, '/administration/users');
    await desk.getByRole('button', { name: 'Import' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByLabel('Or paste its text').fill(`username,email\nanna,${address}\n`);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: 'Import the users' }).click();
    await desk.getByRole('button', { name: 'Save the invitations' }).click();

    const page = await visitors.come(t, { isNew: true });
    await page.goto(await linkIn(/account is ready/));
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('navigation').first().waitFor();
    await page.context().clearCookies();
    await page.goto('/forgot-password');
    await page.getByLabel('Email', { exact: true }).fill(address);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.goto(await linkIn(/Set a new password/));
    await page.getByLabel('New password').fill(`${password}, again`);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await logIn(page, { username: 'anna', password: `${password}, again` });
    await page.getByRole('navigation').first().waitFor();

    const [anna] = await good(server.get('/api/admin/users?q=anna', admin.token));
    const classId = await schoolClass(server, teacher, [anna]);
    const exam = await makeExam(server, admin);
    const plan = { exam_id: exam, class_id: classId, results_visible: 'when_released', opens_at: minutes(60) };
    const session = await openSession(server, teacher, { ...plan, closes_at: minutes(180) });
    await smtp.next(address, /Exam planned: Final/);
    const moveTo = (opens_at: string | null) =>
      good(server.put(`/api/exam-sessions/${session.id}`, teacher.token, { opens_at }));
    await moveTo(minutes(120));
    await smtp.next(address, /Exam moved: Final/);
    await moveTo(null);
    await page.goto(`/exams/${exam}`);
    await takeExam(page, '4096');
    await release(await visitors.comeAs(t, teacher, '/'), classId);
    await smtp.next(address, /Results: Final/);
    await page.reload();
    await page.getByText('2 of 2 points').first().waitFor();
  });

  // Long: from a printed password to the results, and a session that somebody else has taken.
  itLong('where nothing of it is set up, and a session is stolen', async (t) => {
    await using room = await Classroom.open({ WARM_CONTAINERS: '0' });
    const { server, admin, instructor } = room;
    const visitors = new Visitors(server);
    const template = { name: 'Shell', image, memory_mb: 64, cpus: 1 };
    await good(server.post('/api/admin/sandbox-templates', admin.token, template));
    const csv = `username,email,full_name,role,password\nanna,anna@example.com,Anna,student,${password}\n`;
    const headers = { 'content-type': 'text/csv' };
    await good(server.request('POST', '/api/admin/users/import', { token: admin.token, body: csv, headers }));
    const classId = await schoolClass(server, instructor, []);
    const { code } = await good(server.post(`/api/classes/${classId}/join-codes`, instructor.token, {}));
    const exam = await makeExam(server, admin);
    const check = { title: 'Check', description: 'Nothing', points: 1, verification_script: 'echo PASS' };
    await good(server.post(`/api/admin/exams/${exam}/tasks`, admin.token, check));
    const plan = { exam_id: exam, class_id: classId, results_visible: 'when_released' };
    await openSession(server, instructor, plan);

    const page = await visitors.come(t, { isNew: true });
    await page.goto('/login?next=/classes');
    await logIn(page, { username: 'anna', password });
    await page.getByRole('button', { name: 'Join a class' }).first().click();
    await page.getByRole('dialog').getByRole('textbox').fill(code);
    await page.getByRole('dialog').getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('You are now a member of Exam class', { exact: true }).waitFor();
    await endStolenSession(t, server, page);
    await page.goto(`/exams/${exam}`);
    await takeExam(page, '4096');
    await release(await visitors.comeAs(t, instructor, '/'), classId);
    await page.reload();
    await page.getByText('3 of 3 points').first().waitFor();
  });
});

/** An administrator adds both on their pages, tests them, and switches passwords off for the domain. */
async function setUp(desk: Page, school: SchoolProvider, platform: LtiPlatform): Promise<void> {
  const dialog = desk.getByRole('dialog');
  const fill = async (fields: Record<string, string>): Promise<void> => {
    for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).first().fill(text);
  };
  await desk.getByRole('button', { name: 'Add a login service' }).first().click();
  await fill({ Name: 'Our school', Issuer: school.issuer, 'Short name': 'school' });
  await fill({ 'Client ID': schoolClient.client_id, 'Client secret': schoolClient.client_secret });
  await fill({ 'No passwords for these domains': 'school.example.com' });
  await dialog.getByRole('button', { name: 'Add a rule' }).click();
  await fill({ Claim: 'sub', Value: 'teacher' });
  await dialog.getByLabel('Role').selectOption('instructor');
  await dialog.getByRole('button', { name: 'Add a login service' }).click();
  await desk.getByRole('button', { name: 'Test Our school' }).click();
  await desk.getByText('The service answers and knows the client.').waitFor();

  await goTo(desk, '/administration/lti');
  await desk.getByRole('button', { name: 'Add by hand' }).click();
  const { addresses } = platform;
  await fill({ Name: 'Moodle', 'Issuer (platform ID)': platform.issuer, 'Client ID': platform.clientId });
  await fill({ 'Authentication request URL': addresses.authorization, 'Access token URL': addresses.token });
  await fill({ 'Public keyset URL of the system': addresses.keys, 'Deployment IDs': platform.deploymentId });
  await fill({ 'Addresses that may show this service': platform.issuer });
  await dialog.getByLabel('Teachers of its courses become instructors here').check();
  await dialog.getByLabel('The system has verified the email addresses').check();
  await dialog.getByRole('button', { name: 'Add by hand' }).click();
  await desk.getByRole('button', { name: 'Test Moodle' }).click();
  await desk.getByText('The system answers and gives access tokens.').waitFor();
}

/** Passwords are off for the domain, so this is the only way in. */
async function comeFromSchool(page: Page, server: TestServer, login: string): Promise<void> {
  const account = { username: login, email: `${login}@school.example.com`, password };
  const refused = await server.post('/api/auth/register', undefined, account);
  assert.deepEqual([refused.status, refused.code], [403, 'local_login_off']);
  await page.goto(`${server.url}/login`);
  await page.getByRole('link', { name: 'Log in with Our school' }).click();
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The session of a computer of the school, whose cookie somebody has taken: its user finds it in the list and ends it. */
async function endStolenSession(t: TestContext, server: TestServer, page: Page): Promise<void> {
  const other = await new Visitors(server).come(t, { isNew: true });
  await other.goto('/login');
  await logIn(other, { username: 'anna', password });
  await other.getByRole('navigation').first().waitFor();
  const { value } = (await other.context().cookies(`${server.url}/api/auth/refresh`))[0] ?? assert.fail('no cookie');
  await other.close();
  const agent = 'curl/8.14.1';
  const renew = (cookie: string) =>
    server.request('POST', '/api/auth/refresh', {
      headers: { cookie: `login=${cookie}`, origin: server.url, 'user-agent': agent },
    });
  const stolen = await renew(value);
  assert.equal(stolen.status, 200, stolen.text);
  const { access_token: token } = stolen.body;
  const next = /login=([^;]+)/.exec(stolen.headers.get('set-cookie') ?? '')?.[1] ?? assert.fail('no next cookie');
  const { id } = await good(server.post('/api/containers/create', token));
  const terminal = () => new TerminalClient(`${server.url}/ws/terminal/${id}?token=${token}`);
  const open = terminal();
  await open.ready();

  await page.goto('/profile');
  await page.getByRole('button', { name: 'End the session of curl' }).click();
  await page.getByText('The session has ended', { exact: true }).waitFor();
  assert.equal((await open.closed).code, 4401);
  assert.equal((await terminal().closed).code, 4401);
  const statuses = await Promise.all([
    ...['/api/auth/me', '/api/profile/data', '/api/notifications/events'].map((path) => server.get(path, token)),
    server.post('/api/auth/refresh', token),
    renew(next),
  ]);
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [401, 401, 401, 401, 401],
  );
  await page.getByRole('button', { name: 'End the session of curl' }).waitFor({ state: 'detached' });
}
