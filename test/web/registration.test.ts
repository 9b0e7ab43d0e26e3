import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goOut, goTo, Visitors } from './browser.ts';

const password = 'a good password';

describeLong('the pages of registration', { skip: browserSkip, timeout: 600_000 }, () => {
  async function open(t: TestContext, env: Record<string, string>) {
    const server = await TestServer.start(env);
    t.after(() => server[Symbol.asyncDispose]());
    const account = { username: 'head', email: 'head@example.com', password };
    const { id } = await server.application.auth.createAdministrator(account.username, account.email, password);
    const { body } = await server.post('/api/auth/login', undefined, { username: account.username, password });
    return { visitors: new Visitors(server), admin: { id, ...account, token: body.access_token as string } };
  }
  const fill = async (page: Awaited<ReturnType<Visitors['come']>>, username: string, email: string) => {
    await page.getByLabel('Username', { exact: true }).fill(username);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Register' }).click();
  };

  it('say when to try again as a time, and in minutes', async (t) => {
    const { visitors } = await open(t, {});
    const page = await visitors.come(t, { isNew: true });
    const wait = { seconds: 12 * 60 + 30 };
    const body = { detail: 'Too many' };
    await page.route('**/api/auth/login', (route) =>
      route.fulfill({
        ...{ status: 429, json: body },
        headers: { 'Retry-After': `${wait.seconds}`, 'Error-Code': 'too_many_logins' },
      }),
    );
    await page.goto('/login');
    const logIn = async (): Promise<void> => {
      await page.getByLabel('Username or email').fill('ada');
      await page.getByLabel('Password').fill('a wrong one');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
    };
    await logIn();
    await page.getByText(/Too many attempts to log in\. .*Try again at \d\d:\d\d, in 1[23] minutes\./).waitFor();
    wait.seconds = 20;
    await logIn();
    await page.getByText(/Try again in (20|1\d) s\./).waitFor();
  });

  // Long: one code from its creation to its withdrawal.
  it('require a code, and accept it until it is withdrawn', async (t) => {
    const { visitors, admin } = await open(t, { REGISTRATION: 'code' });
    const page = await visitors.comeAs(t, admin, '/');
    await page.getByRole('link', { name: 'Registration codes' }).click();
    await page.getByText('There are no codes yet').waitFor();
    await page.getByRole('button', { name: 'New code' }).click();
    const dialog = page.getByRole('dialog');
    await assertAccessible(page, 'the dialog of a new code');
    await dialog.getByLabel('Note').fill('Class 7b');
    await dialog.getByLabel('Maximum uses').fill('2');
    await dialog.getByLabel('Expires').fill('2099-06-30T18:00');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Class 7b' });
    await row.getByText('0 of 2').waitFor();
    await row.getByText('Valid').waitFor();
    await assertAccessible(page, 'the list of codes');
    const code = (await row.locator('code').textContent()) ?? '';

    await goOut(page, '/login');
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByLabel('Registration code').fill('wrong');
    await fill(page, 'grace', 'grace@example.com');
    await page.getByText('This code is not valid.').waitFor();
    await assertAccessible(page, 'a registration that was refused');
    await page.getByLabel('Registration code').fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: /Account/ }).waitFor();

    await visitors.openAs(page, admin, '/administration/registration-codes');
    await row.getByText('1 of 2').waitFor();
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await answer(page, 'Withdraw');
    await row.waitFor({ state: 'detached' });
    await goTo(page, '/administration/activity');
    await page.getByRole('cell', { name: 'Registration code withdrawn' }).waitFor();

    await goOut(page, '/register');
    await page.getByLabel('Registration code').fill(code);
    await fill(page, 'late', 'late@example.com');
    await page.getByText('This code is not valid.').waitFor();
  });

  it('list the domains, and refuse others with a sentence', async (t) => {
    const { visitors, admin } = await open(t, { REGISTRATION: 'domain', REGISTRATION_DOMAINS: 'school.example.com' });
    const page = await visitors.come(t, { language: 'ru' });
    await page.goto('/register');
    await page.getByText('Только с адресом в school.example.com').waitFor();
    assert.equal(await page.getByLabel('Код регистрации').count(), 0);
    await page.getByLabel('Имя пользователя').fill('grace');
    await page.getByLabel('Эл. почта').fill('grace@example.com');
    await page.getByLabel('Пароль').fill(password);
    await page.getByRole('button', { name: 'Зарегистрироваться' }).click();
    await page.getByRole('alert').filter({ hasText: 'Только с адресом в school.example.com' }).waitFor();
    // The refusals of a field and of a username in use are in the reader's language.
    await page.getByLabel('Эл. почта').fill('grace@example.invalid');
    await page.getByRole('button', { name: 'Зарегистрироваться' }).click();
    await page.getByText('Это не адрес почты, или на его домен почта не доходит.').waitFor();
    await page.getByLabel('Имя пользователя').fill(admin.username);
    await page.getByLabel('Эл. почта').fill('grace@school.example.com');
    await page.getByRole('button', { name: 'Зарегистрироваться' }).click();
    await page.getByText('Это имя пользователя уже занято.').waitFor();
    await page.getByLabel('Имя пользователя').fill('grace');
    await page.getByRole('button', { name: 'Зарегистрироваться' }).click();
    await page.getByRole('button', { name: /grace/ }).waitFor();
    const desk = await visitors.comeAs(t, admin, '/administration/registration-codes', { isNew: true });
    await desk.getByText('nobody needs a code').waitFor();
  });

  it('report that registration is closed', async (t) => {
    const { visitors } = await open(t, { REGISTRATION: 'closed' });
    const page = await visitors.come(t);
    const answered = page.waitForResponse('**/api/auth/registration');
    await page.goto('/login');
    await answered;
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Register' }).count(), 0);
    await page.goto('/register');
    await page.getByText('Registration is closed.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Register' }).count(), 0);
    await assertAccessible(page, 'a closed registration');
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await page.waitForURL('**/login');
  });
});
