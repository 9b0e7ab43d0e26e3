import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { ApiDocument } from '../documented-answers.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('the page of the API document', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const shown = '/api/auth/login';
  for (const isWhole of [false, true]) {
    // Showing all operations takes the browser several seconds.
    it(`shows ${isWhole ? 'the whole document' : 'a document'} under its policy, with requests only to the service`, async (t) => {
      const page = await visitors.come(t);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      if (!isWhole) {
        const document = (await server.get('/api/openapi.json')).body as ApiDocument;
        const json = { ...document, paths: { [shown]: document.paths[shown] } };
        await page.route('**/api/openapi.json', (route) => route.fulfill({ json }));
      }
      await page.goto('/api/docs');
      await page.getByRole('heading', { name: 'Learning platform service' }).first().waitFor();
      await page.getByText(shown).first().waitFor();
      const foreign = asked.filter(
        (url) => !url.startsWith('data:') && new URL(url).origin !== new URL(page.url()).origin,
      );
      assert.deepEqual(foreign, []);
    });
  }
});
