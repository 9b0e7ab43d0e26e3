import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { seedContent } from './school.ts';
import { run, shows } from './shell.ts';

type Lesson = { id: number; slug: string; markdown_file_path: string };

describeLong('the sandbox beside a lesson', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  /** Paths of lessons: one of a shell, two of services. */
  let paths: { shell: string; services: string; nginx: string };
  before(async () => {
    server = await TestServer.start({ SANDBOXES_PER_USER: '2' });
    visitors = new Visitors(server);
    await seedContent(server);
    admin = await server.user('admin');
    const [course] = (await server.get('/api/lessons/courses', admin.token)).body;
    const lessons: Lesson[] = course.sections.flatMap(({ themes }: { themes: Lesson[] }) => themes);
    const pathOf = (slug: string) => `/lessons/${lessons.find((one) => one.slug === slug)?.id}`;
    paths = {
      shell: pathOf('moving-around-the-file-tree'),
      services: pathOf('services'),
      nginx: pathOf('nginx-a-first-web-server'),
    };
  });
  after(() => server?.[Symbol.asyncDispose]());

  const sandboxesOf = async (user: TestUser) => (await server.get('/api/containers/sandbox', user.token)).body;
  const runButton = (page: Page, word = 'Run in my terminal') => page.getByRole('button', { name: word }).first();

  // Long: two lessons with two sandboxes, and the way between them.
  it('is of the template of the lesson, has a name, and can be switched', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, paths.shell);
    const choice = page.getByRole('combobox', { name: 'Sandbox', exact: true });
    const shownSandbox = (name: string) =>
      choice.locator('option:checked').filter({ hasText: name }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Open a terminal' }).click();
    // The button says what it does: there is no further question.
    await page.getByText(`Shell (user-${user.id}-sandbox)`).waitFor();
    await run(page, 'echo first-$((1 + 1))', 'first-2');
    // A reload keeps the terminal and its shell.
    await page.reload();
    await shows(page, 'first-2');

    // Another lesson needs another sandbox. None is created without a click.
    await page.goto(paths.services);
    await page
      .getByText(
        'This lesson uses the sandbox “Services”. You do not have one yet. A new one would be sandbox 2 of the 2 that you can have.',
      )
      .waitFor();
    await assertAccessible(page, 'a lesson without its sandbox');
    assert.equal((await sandboxesOf(user)).length, 1);
    await page.getByRole('button', { name: 'Create a sandbox: Services' }).click();
    await shownSandbox(`Services (user-${user.id}-sandbox-2)`);
    await run(page, 'systemctl is-active nginx', 'inactive');

    // The terminal stays as it is in a lesson with the same template.
    await page.getByRole('link', { name: /Next lesson/ }).click();
    await page.getByRole('heading', { level: 1, name: 'nginx, a first web server' }).waitFor();
    await shows(page, 'inactive');

    await choice.selectOption({ label: `Shell (user-${user.id}-sandbox)` });
    await page.getByText('This is not the sandbox of this lesson. It uses “Services”.').waitFor();
    await shows(page, 'first-2');
    await assertAccessible(page, 'a lesson with another sandbox');
    // Commands run there only after a confirmation.
    await runButton(page).click();
    const question = page.getByRole('alertdialog', { name: 'Run in another sandbox?' });
    await question.getByText(`The commands run in user-${user.id}-sandbox.`).waitFor();
    await assertAccessible(page, 'the question before a command');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await run(page, 'history | wc -l | sed s/^/lines:/; echo second-$((1 + 1))', 'second-2');
    assert.doesNotMatch((await page.locator('.xterm-rows').textContent()) ?? '', /systemctl|nginx/);
    await runButton(page).click();
    await question.getByRole('button', { name: 'Run' }).click();
    await shows(page, 'nginx');

    await page.getByRole('button', { name: 'Open Services' }).click();
    await shownSandbox(`Services (user-${user.id}-sandbox-2)`);
    await shows(page, 'inactive');
    // And back to a lesson of the first sandbox, which still runs.
    await page.goto(paths.shell);
    await shownSandbox(`Shell (user-${user.id}-sandbox)`);
    await shows(page, 'second-2');
    // A stopped one is started by a click as well, also after a reload, which keeps the terminal open.
    const [shell] = await sandboxesOf(user);
    assert.equal((await server.post(`/api/containers/${shell.id}/stop`, user.token)).status, 200);
    await page.reload();
    await page.getByText(`Your sandbox Shell (user-${user.id}-sandbox) is stopped.`).waitFor();
    await assertAccessible(page, 'a lesson with its stopped sandbox');
    await page.getByRole('button', { name: `Start Shell (user-${user.id}-sandbox)` }).click();
    await run(page, 'echo third-$((1 + 1))', 'third-2');
  });

  it('is created for a command of the lesson after a click, in the place of another one if all are taken', async (t) => {
    const user = await server.user();
    const shell = await server.post('/api/containers/create', user.token);
    assert.equal(shell.status, 201);
    const failed = {
      name: `user-${user.id}-sandbox-2`,
      slot: 2,
      status: 'failed',
      kind: 'sandbox',
      image: 'x',
    } as const;
    await server.application.db
      .insertInto('containers')
      .values({ ...failed, user_id: user.id })
      .execute();
    const page = await visitors.comeAs(t, user, paths.services, { viewport: phone, theme: 'dark', language: 'ru' });
    await page.getByRole('button', { name: 'Открыть терминал' }).click();
    await page.getByText('Все ваши места заняты').waitFor();
    await page.getByRole('button', { name: 'Закрыть терминал' }).click();
    await runButton(page, 'Выполнить').click();
    const offer = page.getByRole('region', { name: 'Ваш терминал' });
    await offer.getByText('Все ваши места заняты (2 из 2), поэтому сначала нужно удалить другую.').waitFor();
    await offer.getByText('Ваши команды выполнятся, когда песочница будет готова.').waitFor();
    await assertAccessible(page, 'the offer of a sandbox on a phone');
    assert.equal((await sandboxesOf(user)).length, 2);
    assert.equal(await offer.getByRole('button', { name: 'Создать песочницу: Services' }).isDisabled(), true);
    await offer
      .getByLabel('Удалить эту песочницу вместе с файлами')
      .selectOption({ label: `user-${user.id}-sandbox-2 · Сбой` });
    await offer
      .getByRole('button', { name: `Удалить user-${user.id}-sandbox-2. Создать песочницу: Services` })
      .press('Enter');
    const chosen = page.getByRole('combobox', { name: 'Песочница', exact: true }).locator('option:checked');
    await chosen.filter({ hasText: `Services (user-${user.id}-sandbox-2)` }).waitFor({ state: 'attached' });
    await shows(page, 'inactive');
    await assertAccessible(page, 'a lesson beside its sandbox on a phone');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const images = (await sandboxesOf(user)).map(({ image }: { image: string }) => image);
    assert.deepEqual(images.toSorted(), ['platform-exam-linux-services', 'platform-sandbox']);
  });

  it('that the reader may not have is named as missing, and commands ask before they run elsewhere', async (t) => {
    const user = await server.user();
    const templates = (await server.get('/api/admin/sandbox-templates', admin.token)).body;
    const { id } = templates.find(({ slug }: { slug: string }) => slug === 'services');
    const path = `/api/admin/sandbox-templates/${id}`;
    assert.equal((await server.put(path, admin.token, { is_active: false })).status, 200);
    t.after(() => server.put(path, admin.token, { is_active: true }));
    const page = await visitors.comeAs(t, user, paths.services);
    await runButton(page).click();
    const question = page.getByRole('alertdialog', { name: 'Run in another sandbox?' });
    await question.getByText('This lesson uses a sandbox that is not available to you.').waitFor();
    assert.deepEqual(await sandboxesOf(user), []);
    await question.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Create a sandbox' }).click();
    await shows(page, 'systemctl');
    await page.getByRole('status').getByText('This lesson uses a sandbox that is not available to you.').waitFor();
  });

  it('is chosen by an administrator for a course, a section or a lesson', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'Actions: nginx, a first web server' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Sandbox of the lessons');
    assert.equal(await field.locator('option:checked').textContent(), 'Same as the section');
    await field.selectOption('Shell with internet');
    await assertAccessible(page, 'the form of a lesson');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('nginx, a first web server is saved.').first().waitFor();
    const templates = (await server.get('/api/admin/sandbox-templates', admin.token)).body;
    const wanted = templates.find(({ slug }: { slug: string }) => slug === 'with-internet').id;
    const theme = () => server.get(`/api${paths.nginx.replace('/lessons', '/lessons/themes')}`, admin.token);
    assert.deepEqual((await theme()).body.nearest_template_id, wanted);

    await page.getByRole('button', { name: 'Actions: nginx, a first web server' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await field.selectOption('Same as the section');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await theme()).body.template_id, null);
  });
});
