import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { Classroom } from '../classroom.ts';
import { itLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';

/** An operation of the generated client: it throws what the service refuses. */
type Call = (options: {
  baseUrl: string;
  auth?: string;
  path?: object;
  body?: object;
  throwOnError: true;
  // biome-ignore lint/suspicious/noExplicitAny: the types are generated during the test
}) => Promise<{ data: any; response: Response }>;

// Long: an exam from the registration to its results.
itLong('a client generated from the API document takes an exam', { skip: engineSkip, timeout: 600_000 }, async () => {
  await using classroom = await Classroom.open();
  const { server } = classroom;
  const exam = await classroom.make('exam', ['echo seen\necho PASS', 'echo FAIL']);
  // Within the project, where the type stripping of Node and the folder's type `module` apply.
  const folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.generated-client-'));
  try {
    const document = join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify((await server.get('/api/openapi.json')).body));
    const output = join(folder, 'client');
    await createClient({
      input: document,
      output,
      plugins: ['@hey-api/client-fetch', '@hey-api/sdk'],
      logs: { level: 'silent' },
    });
    const sdk = await load(output);
    const baseUrl = server.url;
    const call = async (name: string, more: object = {}) => {
      const operation = sdk[name];
      assert.ok(operation, `the client has no ${name}`);
      return (await operation({ baseUrl, throwOnError: true, ...more })).data;
    };

    const account = { username: 'generated', password: 'a password of it' };
    await call('register', { body: { ...account, email: 'generated@school.example.com' } });
    const { access_token: auth } = await call('login', { body: account });
    const exams = await call('listExams', { auth });
    assert.ok(exams.some(({ id }: { id: number }) => id === exam));
    const started = await call('startExam', { auth, path: { id: exam } });
    assert.equal(started.exam_id, exam);
    const submitted = await call('submitExam', { auth, path: { id: exam } });
    const results = await call('getExamAttemptResults', { auth, path: { id: started.attempt_id } });
    assert.deepEqual(results.results, submitted.results);
    assert.deepEqual(
      results.results.map(({ passed, output: text }: { passed: boolean; output: string }) => [passed, text]),
      [
        [true, 'seen\nPASS\n'],
        [false, 'FAIL\n'],
      ],
    );
    await assert.rejects(
      call('startExam', { auth, path: { id: 2_000_000 } }),
      ({ detail }) => typeof detail === 'string',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** The client is TypeScript with extensionless imports, so it is bundled before it is loaded. */
async function load(folder: string): Promise<Record<string, Call>> {
  const { build } = await import('rolldown');
  const file = join(folder, 'client.mjs');
  await build({ input: join(folder, 'index.ts'), output: { file, format: 'esm' }, logLevel: 'silent' });
  return await import(file);
}
