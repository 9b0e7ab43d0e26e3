import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('the navigation', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('shows an administrator all groups in a window of 900 pixels, folds them, and remembers it', async (t) => {
    const admin = await server.user('admin');
    const page = await visitors.comeAs(t, admin, '/administration/users', {
      viewport: { width: 1440, height: 900 },
      isNew: true,
    });
    const navigation = page.getByRole('navigation', { name: 'Navigation' });
    const group = (name: string) => navigation.getByRole('button', { name });
    const link = (name: string) => navigation.getByRole('link', { name, exact: true });
    const bottom = await link('System').boundingBox();
    assert.ok(bottom && bottom.y + bottom.height <= 900, JSON.stringify(bottom));
    assert.equal(await group('Learn').getAttribute('aria-expanded'), 'false');
    assert.ok(await link('Dashboard').isVisible());
    await group('Learn').click();
    await link('Courses').waitFor();
    // A folded group shows the page that is open.
    await group('System').click();
    await link('Activity').waitFor({ state: 'hidden' });
    assert.ok(await link('Users').isVisible());
    await page.reload();
    await link('Courses').waitFor();
    assert.equal(await group('System').getAttribute('aria-expanded'), 'false');
  });
});
