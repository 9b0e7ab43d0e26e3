import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { assertWithinWindow } from './within-window.ts';

describeLong('personal tokens in the browser', { skip: browserSkip, timeout: 300_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('are created in the profile, shown once, listed with their use, and deleted', async (t) => {
    const user = await server.user();
    const page = await new Visitors(server).comeAs(t, user, '/profile', { viewport: phone });
    const card = page.getByRole('region', { name: 'Tokens for programs' });
    await card.getByText('You have no tokens.').waitFor();
    await card.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('What it is for').fill('Backup of my notes');
    assert.equal(await page.getByLabel('Administration').count(), 0);
    await assertAccessible(page, 'the form of a token');
    await page.getByRole('button', { name: 'Create' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    await assertWithinWindow(page, 'a new token on a phone');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await card.getByText('read · ends').waitFor();
    assert.equal((await server.get('/api/notes', token)).status, 200);
    assert.equal((await server.post('/api/auth/logout', token)).code, 'scope');
    await page.reload();
    await card.getByText(/used .*now|seconds? ago/).waitFor();
    assert.ok(!(await page.content()).includes(token));
    const pictures = process.env['TEST_PICTURES'];
    if (pictures) await card.screenshot({ path: `${pictures}/tokens.png` });
    await card.getByRole('button', { name: 'Delete the token Backup of my notes' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await card.getByText('You have no tokens.').waitFor();
    assert.equal((await server.get('/api/notes', token)).status, 401);
  });
});
