import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, it } from 'node:test';
import { createTestDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { connected, run } from './shell.ts';

async function makeTemplate(server: TestServer): Promise<void> {
  const template = { name: 'Linux', description: 'Small', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
  const made = await server.post('/api/admin/sandbox-templates', (await server.user('admin')).token, template);
  assert.equal(made.status, 201, made.text);
}

async function sandboxOf(server: TestServer, user: TestUser): Promise<number> {
  const made = await server.post('/api/containers/create', user.token);
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

describeLong('the pages of machines that can be lost', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    await makeTemplate(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  for (const [files, keptAt, text] of [
    [
      'the time of its home folder',
      new Date('2026-03-01T12:34:56Z'),
      /Your home folder was restored as of .*\d+:34.* Other/,
    ],
    ['that no files were kept', null, /The machine was replaced\. No files were kept\./],
  ] as const) {
    it(`report in the terminal that a machine was replaced, and ${files}`, async (t) => {
      const user = await server.user();
      const id = await sandboxOf(server, user);
      const { db } = server.application;
      // As the service leaves it after the loss of a node.
      const replaced = { replaced_at: new Date(), home_kept_at: keptAt };
      await db.updateTable('containers').set(replaced).where('id', '=', id).execute();
      const page = await visitors.comeAs(t, user, `/sandboxes/${id}`);
      await connected(page);
      await page.getByText(text).waitFor();
    });
  }

  it('say where only the home folder of a stopped sandbox is kept', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(server, user);
    assert.equal((await server.post(`/api/containers/${id}/stop`, user.token)).status, 200);
    const page = await visitors.come(t, { isNew: true });
    // As on a cluster.
    await page.route(/\/api\/containers\/(sandbox|\d+)$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"kept_when_stopped":"all"', '"kept_when_stopped":"home"');
      await route.fulfill({ response, body });
    });
    await visitors.openAs(page, user, '/sandboxes');
    await page.getByText('Only the home folder of a stopped sandbox is kept.').waitFor();
    await goTo(page, `/sandboxes/${id}`);
    await page.getByText('Its home folder is kept. Installed packages and other changes are lost.').waitFor();
  });
});

describeLong('an open terminal page', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  it('continues in the same shell after a restart of the service', async (t) => {
    await using database = await createTestDatabase();
    const settings = {
      PORT: `${await freePort()}`,
      SECRET_KEY: randomBytes(32).toString('hex'),
      CONTAINER_NAME_PREFIX: `restart${process.pid}-`,
    };
    const start = () => TestServer.start(settings, { database: database.address }, 1);
    let running = await start();
    t.after(async () => await running[Symbol.asyncDispose]());
    await makeTemplate(running);
    const user = await running.user();
    const page = await new Visitors(running).comeAs(t, user, `/sandboxes/${await sandboxOf(running, user)}`, {
      isNew: true,
    });
    await connected(page);
    await run(page, 'kept=still-$((40 + 2)); clear; echo rea""dy', 'ready');

    running.keepContainers();
    await running[Symbol.asyncDispose]();
    await page.getByText('Connection lost. Reconnecting').waitFor();
    // The page tries in vain while the service is away.
    await page.waitForEvent('websocket').then((socket) => socket.waitForEvent('socketerror'));
    running = await start();
    await run(page, 'echo $kept', 'still-42');
    assert.equal(await page.getByText('The previous shell has ended').count(), 0);
  });
});
