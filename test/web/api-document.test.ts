import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../server.ts';
import { browserSkip, Visitors } from './browser.ts';

describe('the page of the API document', { skip: browserSkip, timeout: 120_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('shows the document under its policy, with requests only to the service', async (t) => {
    const page = await visitors.come(t);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/api/docs');
    await page.getByRole('heading', { name: 'Learning platform service' }).first().waitFor();
    await page.getByText('/api/auth/login').first().waitFor();
    const foreign = asked.filter((url) => !url.startsWith('data:') && new URL(url).origin !== server.url);
    assert.deepEqual(foreign, []);
  });
});
