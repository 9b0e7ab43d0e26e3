import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { hides, run, terminal } from './shell.ts';

describeLong('the shells of a machine on its page', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  async function sandboxOf(user: TestUser): Promise<number> {
    const made = await server.post('/api/containers/create', user.token);
    assert.equal(made.status, 201, made.text);
    return made.body.id;
  }
  /** Waits until the shown shell's screen contains a text. That of a hidden one has the same class. */
  const showsHere = (page: Page, text: string) =>
    page.locator('.xterm-rows:visible').filter({ hasText: text }).waitFor();
  const typeHere = async (page: Page, command: string) => {
    await showsHere(page, '$ ');
    await page.getByRole('textbox', { name: 'Terminal' }).focus();
    await page.keyboard.type(`${command}\n`);
  };
  const paste = (page: Page, pasted: string) =>
    page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('.xterm-helper-textarea')?.dispatchEvent(event);
    }, pasted);

  // Long: two shells, from their start over a reload to the end of one.
  it('are in tabs that have names, survive a reload, and end with their tab', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(user);
    const page = await visitors.comeAs(t, user, `/sandboxes/${id}`);
    const shells = async () => (await server.get(`/api/containers/${id}/terminals`, user.token)).body.length;
    await run(page, 'name=fir""st; clear; echo rea""dy', 'ready');
    await page.getByRole('button', { name: 'New shell' }).click();
    await typeHere(page, 'name=sec""ond; clear; echo $name');
    await showsHere(page, 'second');
    await page.getByRole('button', { name: 'Shell 2', exact: true }).dblclick();
    const dialog = page.getByRole('dialog', { name: 'Rename this shell' });
    await dialog.getByLabel('Name').fill('logs');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const logs = page.getByRole('button', { name: 'Shell logs', exact: true });
    assert.equal(await logs.getAttribute('aria-current'), 'true');
    await assertAccessible(page, 'a terminal with two shells');
    assert.equal(await shells(), 2);

    await page.reload();
    await showsHere(page, 'second');
    await page.getByRole('textbox', { name: 'Terminal' }).focus();
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await showsHere(page, 'ready');
    await typeHere(page, 'clear; echo $name');
    await showsHere(page, 'first');
    await page.getByRole('button', { name: 'Close shell logs' }).click();
    await logs.waitFor({ state: 'detached' });
    await until(async () => (await shells()) === 1, 'the end of the shell');
    await typeHere(page, 'clear; echo $name still');
    await showsHere(page, 'first still');
  });

  it('take and give files in their folder, and are gone after a reset', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, `/sandboxes/${await sandboxOf(user)}`);
    await run(page, 'mkdir -p project && cd project && clear && echo rea""dy', 'ready');
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Shells, files and settings' }).click();
      await page.getByRole('menuitem', { name }).click();
      return page.getByRole('dialog', { name });
    };
    for (const content of ['first', 'second']) {
      const dialog = await choose('Upload a file');
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from(content) };
      await dialog.getByLabel('File', { exact: true }).setInputFiles(file);
      await dialog.getByRole('button', { name: 'Upload a file' }).click();
      if (content === 'second') await answer(page, 'Replace');
      await page.getByText('Uploaded to /home/student/project/notes.txt').first().waitFor();
      await dialog.waitFor({ state: 'detached' });
    }
    const dialog = await choose('Download a file');
    await dialog.getByLabel('Path on the machine').fill('nothing');
    await dialog.getByRole('button', { name: 'Download a file' }).click();
    await dialog.getByText('The machine does not have this file or folder.').waitFor();
    await dialog.getByLabel('Path on the machine').fill('notes.txt');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download a file' }).click(),
    ]);
    assert.equal(saved.suggestedFilename(), 'notes.txt');
    assert.equal(await readFile(await saved.path(), 'utf8'), 'second');

    await page.getByRole('button', { name: /^Reset / }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('All its files and shells are lost.').waitFor();
    await question.getByRole('button', { name: 'Reset' }).click();
    await question.waitFor({ state: 'detached' });
    await hides(page, 'ready');
    await run(page, 'ls | wc -l; pwd', '/home/student');
    assert.equal(await page.getByText('The previous shell has ended.').count(), 0);
  });

  it('paste once with each key, and keep the size and typeface of the text', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, `/sandboxes/${await sandboxOf(user)}`, { isNew: true });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await run(page, 'clear; echo rea""dy; cat', 'ready');
    for (const key of ['Control+V', 'Control+Shift+V', 'Shift+Insert']) {
      await page.evaluate((text) => navigator.clipboard.writeText(text), `by-${key};`);
      await terminal(page).getByRole('textbox', { name: 'Terminal' }).focus();
      await page.keyboard.press(key);
      await showsHere(page, `by-${key};`);
    }
    // What is typed afterwards arrives after a second paste would have.
    await page.keyboard.type('end\n');
    const all = 'by-Control+V;by-Control+Shift+V;by-Shift+Insert;end';
    const rows = async () => (await terminal(page).locator('.xterm-rows').textContent()) ?? '';
    await until(async () => (await rows()).split(all).length === 3, 'the echo of the pastes and that of cat');

    const larger = page.getByRole('button', { name: 'Larger text' });
    const style = () =>
      page.locator('.xterm-rows').evaluate((element) => {
        const { fontSize, fontFamily } = getComputedStyle(element);
        return `${fontSize} ${fontFamily}`;
      });
    const before = await style();
    await larger.click();
    await larger.click();
    await page.getByRole('button', { name: 'Shells, files and settings' }).click();
    await page.getByRole('menuitemradio', { name: 'Typewriter' }).click();
    await until(async () => /^16px .*Courier/.test(await style()), `another text than ${before}`);
    const chosen = await style();
    await page.reload();
    await showsHere(page, 'ready');
    await until(async () => (await style()) === chosen, 'the same text after a reload');
  });

  it('ask before several lines are pasted that would run at once', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, `/sandboxes/${await sandboxOf(user)}`);
    await run(page, 'clear; echo rea""dy; cat -v', 'ready');
    await paste(page, 'one line');
    await showsHere(page, 'one line');
    assert.equal(await page.getByRole('alertdialog').count(), 0);
    await paste(page, '\nsecond\nthird\n');
    const question = page.getByRole('alertdialog', { name: 'Paste 3 lines?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await paste(page, '\nsecond\nthird\n');
    await question.getByRole('button', { name: 'Paste' }).click();
    // The terminal shows what is pasted, and cat repeats it. The cancelled paste has left nothing.
    const rows = async () => (await terminal(page).locator('.xterm-rows').textContent()) ?? '';
    await until(async () => (await rows()).split('third').length === 3, 'the pasted lines, twice');
    assert.equal((await rows()).split('second').length, 3);
  });

  it('have the missing keys on a phone, and count what is found', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, `/sandboxes/${await sandboxOf(user)}`, { viewport: phone });
    await run(page, 'clear; echo Rea""dy ready; cat -v', 'Ready ready');
    const key = (name: string) => page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name });
    await key('Ctrl, for the next key').click();
    assert.equal(await key('Ctrl, for the next key').getAttribute('aria-pressed'), 'true');
    await page.keyboard.type('ab');
    await key('Up arrow key').click();
    await key('~').click();
    await page.keyboard.press('Enter');
    await showsHere(page, '^Ab^[[A~');
    assert.equal(await key('Ctrl, for the next key').getAttribute('aria-pressed'), 'false');
    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('textbox', { name: 'Find in the terminal' }).fill('ready');
    const count = terminal(page).getByText(/^\d of \d$/);
    await page.getByText('1 of 2').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.getByText('1 of 1').waitFor();
    assert.equal(await count.count(), 1);
    await assertAccessible(page, 'a terminal on a phone');
  });
});
