import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { MailServer } from '../mail-server.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('mail in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let smtp: MailServer;
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    smtp = await MailServer.listen();
    const settings = {
      ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`, MAIL_SENDER: 'noreply@school.example.com' },
      ...{ PUBLIC_URL: 'https://school.example.com', mailRoundSeconds: 0.2, mailDelaySeconds: 0 },
    };
    server = await TestServer.start(settings, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await smtp?.[Symbol.asyncDispose]();
  });

  it('a forgotten password is replaced from the login page on', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t, { isNew: true });
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgotten password?' }).click();
    // The login page, which may still be shown, has a field "Username or email".
    await page.getByLabel('Email', { exact: true }).fill(user.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`If an account has the address ${user.email}`).waitFor();
    await assertAccessible(page, 'a requested link');
    const { text } = await smtp.next(user.email, /Set a new password/);
    const [path = ''] = /\/reset-password#\S+/.exec(text) ?? [];
    await page.goto(path);
    await page.getByLabel('New password').fill('a password of today');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your password is changed').waitFor();
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await page.getByLabel('Username or email').fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill('a password of today');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('navigation').first().waitFor();
    const again = await visitors.come(t, { isNew: true });
    await again.goto(path);
    await again.getByLabel('New password').fill('a password of tomorrow');
    await again.getByRole('button', { name: 'Set the password' }).click();
    await again.getByRole('alert').getByText('The link is not valid').waitFor();
  });

  it('administrators test it, repeat what failed, and users switch kinds off', async (t) => {
    const admin = await server.user('admin');
    const student = await server.user();
    const page = await visitors.comeAs(t, admin, '/administration/settings');
    await page.getByRole('button', { name: 'Send a test mail' }).click();
    await page.getByText('queued as test').waitFor();
    smtp.refusals = [{ code: 550, message: '5.1.1 No such mailbox' }];
    await page.getByRole('button', { name: 'Send a test mail' }).click();
    await page.getByText('was not sent').waitFor();
    await page.getByText('550 5.1.1 No such mailbox').waitFor();
    await assertAccessible(page, 'a refused test mail');

    smtp.refusals = [{ code: 550, message: '5.1.1 Full' }];
    await server.post(`/api/admin/users/${student.id}/invitation`, admin.token);
    const failed = server.application.db.selectFrom('mails').select('id').where('status', '=', 'failed');
    await until(async () => (await failed.execute()).length > 0, 'a failed mail');
    await page.getByRole('link', { name: 'Mails that were not sent' }).click();
    await page.getByRole('button', { name: `Send again: ${student.email}` }).click();
    await smtp.next(student.email, /account is ready/);

    const profile = await visitors.comeAs(t, student, '/profile');
    await profile.getByLabel('an exam is planned or moved').uncheck();
    await profile.reload();
    assert.equal(await profile.getByLabel('an exam is planned or moved').isChecked(), false);
  });
});
