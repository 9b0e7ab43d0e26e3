import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { type Answer, TestServer, type TestUser, told } from '../server.ts';

const max = 3;
const maxTasks = 2;
const assessment = { container_image: 'image', time_limit_minutes: 10, passing_score: 1 };

describe('the number of rows created by administrators', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    const env = { maxCatalogueItems: max, maxTasks: maxTasks };
    server = await TestServer.start(env, { engine: { reason: 'this test has none' } });
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const post = (path: string, fields: object) => server.post(`/api/admin/${path}`, admin.token, fields);
  const make = async (path: string, fields: object): Promise<number> => {
    const made = await post(path, fields);
    assert.equal(made.status, 201, made.text);
    return made.body.id;
  };
  const total = async (path: string): Promise<number> =>
    Number((await server.get(`/api/admin/${path}`, admin.token)).headers.get('x-total-count'));

  /** Of many concurrent requests, as many succeed as the limit permits. The others get the reason, and a deletion frees a place. */
  async function isBounded(path: string, plural: string, fields: (name: string) => object): Promise<void> {
    const had = await total(path);
    const answers = await Promise.all(Array.from({ length: max + 3 }, (_, index) => post(path, fields(`N ${index}`))));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(max - had).fill(201), ...Array(3 + had).fill(409)], path);
    const refused = answers.find(({ status }) => status === 409) as Answer;
    assert.deepEqual(told(refused), {
      detail: `There are ${max} ${plural} already, including inactive ones`,
      code: 'catalogue_full',
    });
    assert.equal(await total(path), max, path);
    const id = answers.find(({ status }) => status === 201)?.body.id;
    assert.equal((await server.delete(`/api/admin/${path}/${id}`, admin.token)).status, 200);
    await make(path, { ...fields('Another'), is_active: false });
    assert.equal((await post(path, fields('More'))).status, 409, path);
  }

  it('is limited for each kind', async () => {
    const course_id = await make('lessons/courses', { name: 'C' });
    const section_id = await make('lessons/sections', { course_id, name: 'S' });
    await isBounded('lessons/courses', 'courses', (name) => ({ name }));
    await isBounded('lessons/sections', 'sections', (name) => ({ course_id, name }));
    await isBounded('lessons/themes', 'themes', (title) => ({ section_id, title, markdown_file_path: 'a.md' }));
    await isBounded('exams', 'exams', (title) => ({ ...assessment, title }));
    await isBounded('laboratories', 'laboratories', (title) => ({ ...assessment, title }));
    const template = { image: 'image', memory_mb: 64, cpus: 1 };
    await isBounded('sandbox-templates', 'sandbox templates', (name) => ({ ...template, name }));
  });

  it('is limited for tasks', async () => {
    const { db } = server.application;
    for (const [kind, of] of [
      ['exam', 'an exam'],
      ['laboratory', 'a laboratory'],
    ] as const) {
      const plural = kind === 'exam' ? 'exams' : 'laboratories';
      const assessments = db.selectFrom('assessments').select('id').where('kind', '=', kind);
      const { id } = await assessments.limit(1).executeTakeFirstOrThrow();
      const task = { title: 'Task', points: 1, verification_script: 'echo PASS' };
      const answers = await Promise.all(Array.from({ length: 5 }, () => post(`${plural}/${id}/tasks`, task)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409, 409]);
      const detail = `There are ${maxTasks} tasks already, the most that ${of} can have`;
      assert.deepEqual(told(answers.find(({ status }) => status === 409) as Answer), {
        detail,
        code: 'too_many_tasks',
      });
    }
  });

  it('is not exceeded by an import, which is atomic', async () => {
    const { db } = server.application;
    const directory = await mkdtemp(join(tmpdir(), 'platform-import-'));
    try {
      const templates = ['one', 'two'].map((slug) => ({ slug, name: slug, image: 'image', memory_mb: 64, cpus: 1 }));
      // JSON is YAML.
      const text = JSON.stringify({ format: 1, kind: 'sandbox-templates', templates });
      await writeFile(join(directory, 'sandbox-templates.yaml'), text);
      const content = new ContentService(new ContentStore(db, server.config.catalogue));
      const write = { prune: false, dryRun: false };
      const count = async () => (await db.selectFrom('sandbox_templates').select('id').execute()).length;
      for (const options of [write, { ...write, dryRun: true }]) {
        await assert.rejects(content.import(directory, options), {
          name: 'ConflictError',
          message: `There can be at most ${max} sandbox templates, including inactive ones`,
        });
      }
      assert.equal(await count(), max);
      await db.deleteFrom('sandbox_templates').execute();
      await content.import(directory, write);
      assert.equal(await count(), 2);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
