import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, logIn, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('the profile in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const bar = (page: Page) => page.getByRole('button', { name: /^Account/ });

  it('can be changed, and reports refusals', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/profile');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Full name').fill('  Grace Hopper ');
    await page.getByLabel('About me').fill('Compilers.');
    await page.getByText('Not saved yet').waitFor();
    await page.getByLabel('Email').fill('grace@example.invalid');
    await save.click();
    await page.getByText(/not a valid email address/).waitFor();
    assert.equal(await page.getByLabel('Full name').inputValue(), '  Grace Hopper ');
    await page.getByLabel('Email').fill('grace@example.com');
    await save.click();
    await page.getByText('Your profile is saved', { exact: true }).waitFor();
    await bar(page).getByText('Grace Hopper').waitFor();
    const { full_name, email, bio } = (await server.get('/api/profile/me', student.token)).body;
    assert.deepEqual(
      { full_name, email, bio },
      { full_name: 'Grace Hopper', email: 'grace@example.com', bio: 'Compilers.' },
    );
    // The form has what was saved, so nothing is left to be saved.
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Grace Hopper');
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    await assertAccessible(page, 'the profile');
  });

  // Long: one second factor from its set-up to its removal.
  it('sets up a second factor, asks for its code at the login, and removes it', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/profile', { isNew: true });
    await page.getByRole('button', { name: 'Set it up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code for the app' }).waitFor();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByLabel('Code of the app').fill('abcdef');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('This is not the code that the app shows now').waitFor();
    await assertAccessible(page, 'the set-up of a second factor');
    await dialog.getByLabel('Code of the app').fill(generateSync({ secret }));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('each of these codes lets you in once').waitFor();
    const recovery = (await dialog.getByRole('listitem').first().textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have them' }).click();
    await page.getByText('10 recovery codes are left').waitFor();
    const guest = await visitors.come(t, { isNew: true });
    await guest.goto('/login');
    await guest.getByLabel('Username or email').fill(student.username);
    await guest.getByLabel('Password').fill(student.password);
    const enter = guest.getByRole('button', { name: 'Log in', exact: true });
    await enter.click();
    const code = guest.getByLabel('Code of your app');
    await code.fill('wrong-code');
    await enter.click();
    await guest.getByText('The code is wrong, or was used already').waitFor();
    await assertAccessible(guest, 'a login with a second factor');
    await code.fill(recovery);
    await enter.click();
    await guest.getByRole('button', { name: /^Account/ }).waitFor();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await answer(page, 'Remove it');
    await page.getByRole('button', { name: 'Set it up' }).waitFor();
  });

  it('lists the sessions and ends another one', async (t) => {
    const student = await server.user();
    const { username, password } = student;
    const json = { username, password };
    const headers = { 'user-agent': 'curl/8.14.1' };
    const stolen = await server.request('POST', '/api/auth/login', { json, headers });
    const page = await visitors.comeAs(t, student, '/profile');
    await page.getByRole('button', { name: 'End the session of curl' }).click();
    await page.getByText('The session has ended', { exact: true }).waitFor();
    assert.equal((await server.get('/api/auth/me', stolen.body.access_token)).status, 401);
    await page.getByRole('button', { name: 'End the session of curl' }).waitFor({ state: 'detached' });
  });

  it('keeps to the width of a phone with tokens and login services of long names, and so does the login', async (t) => {
    const admin = await server.user('admin');
    const name = `Single sign-on of the ${'Donaudampfschifffahrts'.repeat(3)}gesellschaft`;
    const provider = {
      name,
      slug: 'long',
      issuer: 'https://login.example.com',
      client_id: 'platform',
      is_active: true,
    };
    const added = await server.post('/api/admin/identity-providers', admin.token, provider);
    t.after(() => server.delete(`/api/admin/identity-providers/${added.body.id}`, admin.token));
    const student = await server.user();
    assert.equal(
      (await server.post('/api/auth/tokens', student.token, { name: 'x'.repeat(90), scopes: ['read'] })).status,
      201,
    );
    const page = await visitors.comeAs(t, student, '/profile', { isNew: true, viewport: phone });
    await page.getByText('x'.repeat(90)).waitFor();
    const visitor = await visitors.come(t, { isNew: true, viewport: phone });
    await visitor.goto('/login');
    for (const offer of [page.getByRole('button', { name }), visitor.getByRole('link', { name })]) {
      const fits = await offer.evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientWidth < 390);
      assert.ok(fits, 'the text is in its button');
    }
    assert.ok(await page.getByRole('main').evaluate((main) => main.scrollWidth <= main.clientWidth));
  });

  it('leads a user whose role requires a second factor to it, on any page', async (t) => {
    await using strict = await TestServer.start();
    const [admin, teacher] = [await strict.user('admin'), await strict.user('instructor')];
    const page = await new Visitors(strict).comeAs(t, teacher, '/classes', { isNew: true });
    await strict.put('/api/admin/site', admin.token, { second_factor_roles: ['instructor'] });
    // The login is too old for the set-up, so its user logs in again first.
    await sql`update logins set created_at = now() - interval '1 hour'`.execute(strict.application.db);
    await page.reload();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await logIn(page, teacher);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your role requires a second factor').waitFor();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByLabel('Code of the app').fill(generateSync({ secret }));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('button', { name: 'I have them' }).click();
    await page.getByRole('heading', { name: 'Classes' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  // Long: one picture from its choice to its removal.
  it('has a picture that can be cropped with the keyboard', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/profile');
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('This file is not a picture that the browser can read').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    // The left half is red, the right half is blue.
    const half = (background: string) => ({ create: { width: 400, height: 400, channels: 3 as const, background } });
    const blue = await sharp(half('blue')).png().toBuffer();
    const buffer = await sharp({ create: { ...half('red').create, width: 800 } })
      .composite([{ input: blue, left: 400, top: 0 }])
      .png()
      .toBuffer();
    await input.setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer });
    const dialog = page.getByRole('dialog', { name: 'Choose the part to show' });
    const area = dialog.getByRole('group', { name: /^Part of the picture/ });
    await area.waitFor();
    await assertAccessible(page, 'cropping a picture');
    await area.focus();
    // Moves the picture to the left until only its right half is shown.
    for (let count = 0; count < 60; count += 1) await page.keyboard.press('ArrowLeft');
    await dialog.getByRole('button', { name: 'Use this picture' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Your picture is updated', { exact: true }).waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('header img.rounded-full')?.naturalWidth === 256,
    );

    const { avatar_url } = (await server.get('/api/auth/me', student.token)).body;
    const picture = await server.get(avatar_url);
    const { channels } = await sharp(picture.bytes).stats();
    assert.ok((channels[2]?.mean ?? 0) > 240 && (channels[0]?.mean ?? 255) < 15, 'not the part that was chosen');

    await page.getByRole('button', { name: 'Remove the picture' }).click();
    await answer(page, 'Remove the picture');
    await page.getByText('The picture is removed', { exact: true }).waitFor();
    assert.equal((await server.get('/api/auth/me', student.token)).body.avatar_url, null);
    assert.equal(await page.locator('header img.rounded-full').count(), 0);
  });

  it('changes the password, and ends other sessions', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/profile');
    const fill = async (old: string, next: string, again: string): Promise<void> => {
      await page.getByLabel('Current password').fill(old);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('New password again').fill(again);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await fill('something else', 'a new password', 'a new password');
    await page.getByText('This is not your current password').waitFor();
    await fill(student.password, 'a new password', 'another password');
    await page.getByText('The passwords do not match').waitFor();
    await fill(student.password, 'a new password', 'a new password');
    await page.getByText('The password is changed. Other devices have to log in again.', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Current password').inputValue(), '', 'the form is empty again');
    assert.equal((await server.get('/api/auth/me', student.token)).status, 401);
    // This session continues.
    await page.getByRole('link', { name: 'Courses' }).click();
    await page.getByText('There are no courses yet').waitFor();
    await bar(page).click();
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    await logIn(page, { ...student, password: 'a new password' });
    await bar(page).waitFor();
  });

  it('saves the activity as a CSV', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/profile');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my activity (CSV)' }).click();
    const file = await saved;
    assert.equal(file.suggestedFilename(), 'activity.csv');
    assert.match(await readFile(await file.path(), 'utf8'), new RegExp(`,register,${student.username}\\r\\n$`));
  });

  it('ends all sessions after a confirmation', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/profile');
    const button = page.getByRole('button', { name: 'Log out everywhere' });
    await button.click();
    await answer(page, 'Cancel');
    assert.equal((await server.get('/api/auth/me', student.token)).status, 200);
    await button.click();
    await answer(page, 'Log out everywhere');
    await page.waitForURL('**/login**');
    assert.equal((await server.get('/api/auth/me', student.token)).status, 401);
  });

  it('shows its colours without transitions if reduced motion is preferred', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), '/profile');
    const colours = await page.getByRole('heading', { name: 'Profile', level: 1 }).evaluate((heading) => {
      const colour = () => getComputedStyle(heading).color;
      const before = colour();
      document.documentElement.dataset['theme'] = 'dark';
      return [before, colour()];
    });
    assert.deepEqual(colours, ['rgb(20, 32, 31)', 'rgb(230, 239, 238)']);
  });

  it('keeps the theme and the language', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), '/profile', { viewport: phone });
    await page.getByRole('radio', { name: 'Dark' }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByRole('radio', { name: 'Русский' }).click();
    await page.getByRole('heading', { level: 1, name: 'Профиль' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
    await assertAccessible(page, 'the profile on a phone');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Профиль' }).waitFor();
    await page.locator('html[data-theme=dark]').waitFor();
  });

  it('is in German, dates and texts of errors included, where the browser is', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/profile', { language: 'de' });
    await page.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    const { created_at } = (await server.get('/api/profile/me', student.token)).body;
    const [year, month, day] = new Date(created_at).toLocaleDateString('sv').split('-');
    await page.getByText(`${day}.${month}.${year}`, { exact: true }).waitFor();
    await page.getByLabel('E-Mail').fill('grace@example.invalid');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Diese E-Mail-Adresse ist ungültig').waitFor();
    await assertAccessible(page, 'the profile in German');
  });

  it('is in the first language that the browser prefers and the pages have', async (t) => {
    const page = await visitors.come(t, { isNew: true });
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'languages', { get: () => ['fr-FR', 'de-AT', 'en'] });
    });
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.locator('#document-login').waitFor({ state: 'detached' });
    await page.getByLabel('Passwort').waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  });
});
