import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it, test } from 'node:test';
import { sql } from 'kysely';
import { loadConfig } from '../../src/config.ts';
import { connectDatabase, type Database } from '../../src/database/connection/connect.ts';
import { readContent } from '../../src/features/content/layout.ts';
import { ContentError } from '../../src/features/content/problems.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';

const shipped = join(import.meta.dirname, '../../content');
const lessons = join(shipped, 'lessons');
const write = { prune: false, dryRun: false };
const tables = [
  'courses',
  'sections',
  'themes',
  'assessments',
  'assessment_tasks',
  'sandbox_templates',
  'assessment_files',
  'written_files',
] as const;

type Installation = AsyncDisposable & { db: Database; content: ContentService };

async function install(): Promise<Installation> {
  const database: TestDatabase = await createTestDatabase();
  const options = { maxConnections: 3, statementTimeout: 30_000, acquireTimeout: 10_000, onError: () => {} };
  const { db } = connectDatabase({ address: database.address, ...options });
  return {
    db,
    content: new ContentService(new ContentStore(db, loadConfig({}).catalogue)),
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Every row as PostgreSQL holds it, with the transaction that wrote it last: what was written to shows. */
const versions = async (db: Database): Promise<unknown[]> =>
  await Promise.all(
    tables.map(async (table) => (await sql`select xmin, * from ${sql.table(table)} order by id`.execute(db)).rows),
  );

async function filesOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths.map(async (path) => [path.slice(directory.length + 1), await readFile(path, 'utf8')]),
  );
  return Object.fromEntries(texts.sort());
}

describeLong('import and export', () => {
  let folder: string;
  let count = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transfer-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const newFolder = (): string => {
    count += 1;
    return join(folder, `${count}`);
  };
  /** A copy of the shipped content to change. */
  async function copy(): Promise<{
    directory: string;
    edit: (path: string, from: string | RegExp, to: string) => Promise<void>;
  }> {
    const directory = newFolder();
    await cp(shipped, directory, { recursive: true });
    const edit = async (path: string, from: string | RegExp, to: string) => {
      const text = await readFile(join(directory, path), 'utf8');
      assert.notEqual(
        text.replace(from, () => to),
        text,
        path,
      );
      await writeFile(
        join(directory, path),
        text.replace(from, () => to),
      );
    };
    return { directory, edit };
  }
  const notable = (changes: Awaited<ReturnType<ContentService['import']>>) =>
    changes.flatMap(({ action, kind, name, fields }) =>
      action === 'unchanged' ? [] : [[action, `${kind} ${name}`, ...fields].join(': ')],
    );

  test('the sandbox templates of lessons are carried over, and must exist', async () => {
    await using from = await install();
    await using to = await install();
    const { directory, edit } = await copy();
    const course = 'courses/linux-from-the-shell-up.yaml';
    await edit(course, 'duration_minutes: 20', 'duration_minutes: 20\n        sandbox_template: with-internet');
    await from.content.import(directory, write);
    const { courses } = await readContent(directory);
    const sections = courses.flatMap((each) => each.sections);
    const themes = sections.flatMap((section) => section.themes);
    const named = [courses, sections, themes].map((parts: { sandbox_template?: string }[]) =>
      parts.flatMap(({ sandbox_template: template }) => template ?? []).sort(),
    );
    assert.ok(
      named[0]?.includes('shell-basics') && named[1]?.includes('services') && named[2]?.includes('with-internet'),
    );
    const exported = newFolder();
    await from.content.export(exported, { all: true, lessons: join(directory, 'lessons') });
    await to.content.import(exported, write);
    for (const { db } of [from, to]) {
      const slugsOf = async (table: 'courses' | 'sections' | 'themes') => {
        const rows = db.selectFrom(table as 'courses').innerJoin('sandbox_templates as t', 't.id', 'template_id');
        return (await rows.select('t.slug').execute()).map(({ slug }) => slug).sort();
      };
      assert.deepEqual([await slugsOf('courses'), await slugsOf('sections'), await slugsOf('themes')], named);
    }
    await edit(course, 'sandbox_template: services', 'sandbox_template: no-such');
    const refused = await from.content.import(directory, write).catch((error: unknown) => error);
    assert.match(String(refused), /there is no sandbox template no-such/);
  });

  // Long: what is exported is imported again.
  test('the repository of a course is carried over, and its lessons are not looked for in the files', async (t) => {
    await using installation = await install();
    const room = await mkdtemp(join(tmpdir(), 'transfer-'));
    t.after(() => rm(room, { recursive: true }));
    const folder = join(room, 'content');
    await cp(shipped, folder, { recursive: true });
    const file = join(folder, 'courses/linux-from-the-shell-up.yaml');
    const text = await readFile(file, 'utf8');
    const address = 'https://example.com/lessons.git';
    await writeFile(file, text.replace('sections:', `repository: ${address}\nbranch: main\nsections:`));
    await rm(join(folder, 'lessons/linux-from-the-shell-up/01-first-steps'), { recursive: true });
    await installation.content.import(folder, write);
    const { db } = installation;
    const rows = () =>
      db
        .selectFrom('courses')
        .innerJoin('lesson_repositories', 'lesson_repositories.id', 'courses.repository_id')
        .select(['url', 'branch'])
        .execute();
    assert.deepEqual(await rows(), [{ url: address, branch: 'main' }]);

    const target = join(room, 'exported');
    const { missingLessons } = await installation.content.export(target, { all: true, lessons });
    assert.deepEqual(missingLessons, []);
    assert.ok(!(await readdir(join(target, 'lessons'))).includes('linux-from-the-shell-up'));
    const again = await installation.content.import(target, write);
    assert.ok(again.every(({ action }) => action === 'unchanged'));
    const changes = await installation.content.import(shipped, write);
    const updated = changes.filter(({ action }) => action === 'updated');
    assert.deepEqual(
      updated.map(({ kind, fields }) => [kind, fields]),
      [['course', ['repository']]],
    );
    assert.deepEqual(await rows(), []);
    for (const [wrong, message] of [
      ['repository: file:///srv/lessons.git', /repository: must be the https, http or ssh address/],
      ['branch: main', /branch: needs a repository/],
    ] as const) {
      await writeFile(file, text.replace('sections:', `${wrong}\nsections:`));
      await assert.rejects(installation.content.import(folder, write), message);
    }
  });

  test('an import creates what is missing, and a second one writes nothing', async () => {
    await using seeded = await install();
    await using imported = await install();
    await seeded.content.seedContent(shipped);
    const first = await imported.content.import(shipped, write);
    assert.ok(first.length > 40 && first.every(({ action }) => action === 'created'));
    const strip = (rows: unknown[]) =>
      JSON.stringify(rows, (key, value) => (key === 'xmin' || key === 'created_at' ? undefined : value));
    assert.equal(strip(await versions(imported.db)), strip(await versions(seeded.db)));
    const before = await versions(imported.db);
    const again = await imported.content.import(shipped, write);
    assert.deepEqual([again.length, notable(again)], [first.length, []]);
    assert.deepEqual(await versions(imported.db), before);
    const acts = await imported.db.selectFrom('activity_log').select(['type', 'actor_id']).execute();
    assert.deepEqual(acts, [{ type: 'admin_content_import', actor_id: null }]);
  });

  test('an import updates changed content, and removes missing content only with prune', async () => {
    await using installation = await install();
    const { db, content } = installation;
    await content.seedContent(shipped);
    await db.updateTable('assessments').set({ is_active: false }).where('slug', '=', 'linux-basics').execute();
    await db.insertInto('courses').values({ name: 'Own', slug: 'own', order_index: 9 }).execute();
    const { directory, edit } = await copy();
    const course = 'courses/linux-from-the-shell-up.yaml';
    await edit(course, / {6}- slug: getting-help\n(?: {8}.*\n)*/, '');
    await edit('exams/linux-basics/exam.yaml', 'title: Linux basics', 'title: Basics of Linux');
    const before = await versions(db);

    const dry = await content.import(directory, { prune: true, dryRun: true });
    assert.deepEqual(await versions(db), before);
    const changes = notable(await content.import(directory, write));
    const left = changes.filter((change) => change.startsWith('left'));
    assert.equal(left.length, notable(dry).filter((change) => change.startsWith('removed')).length);
    assert.ok(left.length > 0 && left.every((change) => change.includes('theme linux-from-the-shell-up/first-steps/')));
    assert.ok(changes.includes('updated: exam linux-basics: title: is_active'), changes.join('\n'));
    const exam = await db
      .selectFrom('assessments')
      .where('kind', '=', 'exam')
      .select(['title', 'is_active'])
      .where('slug', '=', 'linux-basics')
      .executeTakeFirst();
    assert.deepEqual(exam, { title: 'Basics of Linux', is_active: true });

    const themes = async () => (await db.selectFrom('themes').select('id').execute()).length;
    const all = await themes();
    const pruned = notable(await content.import(directory, { prune: true, dryRun: false }));
    assert.deepEqual(
      pruned,
      left.map((change) => change.replace('left', 'removed')),
    );
    assert.equal(await themes(), all - left.length);
    assert.ok(await db.selectFrom('courses').select('id').where('slug', '=', 'own').executeTakeFirst(), 'untouched');
  });

  test('an import applies the order of the file, and keeps numbers already in order', async () => {
    await using installation = await install();
    const { db, content } = installation;
    await content.seedContent(shipped);
    await sql`update assessment_tasks set order_index = order_index * 10 where assessment_kind = 'exam'`.execute(db);
    assert.deepEqual(notable(await content.import(shipped, write)), []);
    await sql`update assessment_tasks set order_index = 100 - order_index where assessment_kind = 'exam'`.execute(db);
    assert.equal(notable(await content.import(shipped, write)).length > 5, true);
    const rows = await db
      .selectFrom('assessment_tasks')
      .where('assessment_kind', '=', 'exam')
      .select(['assessment_id', 'order_index'])
      .orderBy('id')
      .execute();
    for (const own of Map.groupBy(rows, ({ assessment_id }) => assessment_id).values())
      assert.deepEqual(
        own.map(({ order_index }) => order_index),
        own.map((_, index) => index + 1),
      );
  });

  test('problems are reported with file and line, even those found by the database, and nothing is written', async () => {
    await using installation = await install();
    const { db, content } = installation;
    await content.seedContent(shipped);
    const section = 'linux-from-the-shell-up/first-steps';
    const { directory, edit } = await copy();
    const file = 'laboratories/files-and-folders/laboratory.yaml';
    await edit(file, /^slug: .*$/m, 'slug: other');
    await cp(join(directory, 'laboratories/files-and-folders'), join(directory, 'laboratories/other'), {
      recursive: true,
    });
    await rm(join(directory, 'laboratories/files-and-folders'), { recursive: true });
    await edit('courses/linux-from-the-shell-up.yaml', /^name: .*$/m, 'name: Changed');
    const before = await versions(db);
    const refused = await content.import(directory, write).catch((error: unknown) => error);
    assert.ok(refused instanceof ContentError, String(refused));
    const text = await readFile(join(directory, 'laboratories/other/laboratory.yaml'), 'utf8');
    const line = text.split('\n').findIndex((row) => row.startsWith('section:')) + 1;
    const message = `section: ${section} has the laboratory files-and-folders already`;
    assert.deepEqual(refused.problems, [{ file: 'laboratories/other/laboratory.yaml', line, message }]);
    assert.deepEqual(await versions(db), before);
  });

  it('laboratories can be swapped, and files can refer to existing content', async () => {
    await using installation = await install();
    const { db, content } = installation;
    await content.seedContent(shipped);
    const { directory, edit } = await copy();
    const course = 'linux-from-the-shell-up';
    await edit(
      'laboratories/files-and-folders/laboratory.yaml',
      `section: ${course}/first-steps`,
      `section: ${course}/text-and-pipes`,
    );
    await edit(
      'laboratories/text-at-work/laboratory.yaml',
      `section: ${course}/text-and-pipes`,
      `section: ${course}/first-steps`,
    );
    await rm(join(directory, 'courses'), { recursive: true });
    assert.deepEqual(notable(await content.import(directory, write)), [
      'updated: laboratory files-and-folders: section_id',
      'updated: laboratory text-at-work: section_id',
    ]);
    const rows = await db
      .selectFrom('assessments')
      .where('kind', '=', 'laboratory')
      .innerJoin('sections', 'sections.id', 'section_id')
      .select(['assessments.slug', 'sections.slug as section'])
      .where('assessments.slug', 'in', ['files-and-folders', 'text-at-work'])
      .orderBy('assessments.slug')
      .execute();
    assert.deepEqual(
      rows.map(({ section }) => section),
      ['text-and-pipes', 'first-steps'],
    );
  });

  it('one of several concurrent imports creates everything', async () => {
    await using installation = await install();
    const all = await Promise.all(Array.from({ length: 3 }, () => installation.content.import(shipped, write)));
    const made = all.map((changes) => changes.filter(({ action }) => action === 'created').length);
    assert.deepEqual(
      made.toSorted((a, b) => a - b),
      [0, 0, all[0]?.length],
    );
  });

  test('an export of the shipped content is imported without a change, and recreates it elsewhere', async () => {
    await using installation = await install();
    const { db, content } = installation;
    await content.seedContent(shipped);
    const directory = newFolder();
    const { missingLessons } = await content.export(directory, { all: false, lessons });
    assert.deepEqual(missingLessons, []);
    const before = await versions(db);
    assert.deepEqual(notable(await content.import(directory, { prune: true, dryRun: false })), []);
    assert.deepEqual(await versions(db), before);
    const written = await filesOf(directory);
    const original = await filesOf(shipped);
    for (const [path, text] of Object.entries(original)) {
      if (path.startsWith('lessons/') || path.endsWith('.sh')) assert.equal(written[path], text, path);
    }
    await using elsewhere = await install();
    await elsewhere.content.import(directory, write);
    const second = newFolder();
    await elsewhere.content.export(second, { all: true, lessons });
    assert.deepEqual(await filesOf(second), written);
    await assert.rejects(content.export(directory, { all: false, lessons }), /is not empty/);
  });

  // Long: an example of each field.
  test('content created through the API is exported and imported without a change', async () => {
    await using server = await TestServer.start();
    const admin = await server.user('admin');
    const make = async (path: string, fields: object) => {
      const made = await server.post(`/api/admin/${path}`, admin.token, fields);
      assert.equal(made.status, 201, made.text);
      return made.body.id as number;
    };
    const course_id = await make('lessons/courses', {
      name: 'Übung: "a" #1',
      description: 'One\n\n  two \n',
      is_active: false,
    });
    const section_id = await make('lessons/sections', { course_id, name: '- yes', is_active: false });
    await make('lessons/themes', {
      section_id,
      title: 'null',
      markdown_file_path: 'some/where.md',
      duration_minutes: 3,
    });
    await make('lessons/courses', { name: 'Empty' });
    const assessment = { title: '2026-01-01', container_image: 'image', passing_score: 50, description: '\ttab\n' };
    await make('exams', { ...assessment, time_limit_minutes: 5, order_index: -3 });
    const draft = await make('exams', {
      ...assessment,
      passing_score: 0,
      time_limit_minutes: 5,
      course_id,
      is_active: false,
      introduction: '# Welcome\n\n\tto "it"\n',
      setup_script: '\n\techo "set up" # ünï\n\n',
    });
    const script = { points: 0, verification_script: '#!/bin/bash\n\techo PASS\n\n\n', solution_script: 'true' };
    await make(`exams/${draft}/tasks`, { ...script, title: 'Same', order_index: 7 });
    await make(`exams/${draft}/tasks`, {
      ...script,
      title: 'Same',
      order_index: 3,
      solution_script: null,
      setup_script: 'a',
    });
    const laboratory = await make('laboratories', {
      ...assessment,
      passing_score: 0,
      section_id,
      conclusion: 'The end',
      is_sequential: true,
      user: 'root',
    });
    await make(`laboratories/${laboratory}/tasks`, {
      ...script,
      title: 'A',
      hint: 'Look: here',
      setup_script: 'true\n',
    });
    await make('laboratories', { ...assessment, section_id, is_active: false });
    const upload = async (place: string, content: Uint8Array<ArrayBuffer>) => {
      const headers = { 'content-type': 'application/octet-stream' };
      const sent = await server.request('PUT', `/api/admin/${place}`, { token: admin.token, headers, body: content });
      assert.equal(sent.status, 201, sent.text);
    };
    const [taskOfExam] = (await server.get(`/api/admin/exams/${draft}/tasks`, admin.token)).body;
    await upload(`exams/${draft}/files?path=/srv/.hidden/data.bin`, new Uint8Array(300_000).fill(255));
    await upload(`exams/${draft}/files?path=/home/student/tool&mode=4755&owner=root:student`, new Uint8Array(0));
    await upload(`exams/${draft}/files?path=/srv/x&task_id=${taskOfExam.id}`, new Uint8Array([0, 13, 10]));
    await upload(`laboratories/${laboratory}/files?path=/usr/local/bin/check&mode=755`, new Uint8Array([33]));
    await make('sandbox-templates', { name: 'T', image: 'image', memory_mb: 64, cpus: 0.25, is_active: false });
    await make('written-lessons', { path: 'own/ü.md', text: '# Own\n' });
    const own = { title: 'Own', section_id, markdown_file_path: 'own/ü.md', is_written: true };
    await make('lessons/themes', own);

    const { db } = server.application;
    const content = new ContentService(new ContentStore(db, loadConfig({}).catalogue));
    const before = await versions(db);
    const directory = newFolder();
    const { missingLessons } = await content.export(directory, { all: true, lessons });
    assert.deepEqual(missingLessons, ['some/where.md']);
    assert.deepEqual(notable(await content.import(directory, { prune: true, dryRun: false })), []);
    assert.deepEqual(await versions(db), before);
    await using elsewhere = await install();
    await elsewhere.content.import(directory, write);
    const second = newFolder();
    await elsewhere.content.export(second, { all: true, lessons: undefined });
    assert.deepEqual(await filesOf(second), await filesOf(directory));
    // A changed file is a change of what has it. A file that is gone from the folder is deleted.
    await writeFile(join(second, 'laboratories', '2026-01-01', 'files/usr/local/bin/check'), 'changed');
    await rm(join(second, 'exams', '2026-01-01-2', 'files/home'), { recursive: true });
    await rm(join(second, 'exams', '2026-01-01-2', 'files.yaml'));
    await writeFile(join(second, 'written-lessons/own/ü.md'), '# Changed\n');
    const changes = notable(await elsewhere.content.import(second, write));
    const expected = ['lesson file own/ü.md: content', 'exam 2026-01-01-2: files', 'laboratory 2026-01-01: files'];
    assert.deepEqual(
      changes,
      expected.map((change) => `updated: ${change}`),
    );
    const { rows } = await sql<{ revision: number }>`select revision from written_files`.execute(elsewhere.db);
    assert.deepEqual(rows, [{ revision: 2 }]);
    const small = new ContentService(
      new ContentStore(elsewhere.db, loadConfig({}, { maxSetupFileBytes: 200_000 }).catalogue),
    );
    await assert.rejects(small.import(second, write), { code: 'files_full' });
    const visible = newFolder();
    await content.export(visible, { all: false, lessons: undefined });
    assert.deepEqual(await readdir(join(visible, 'exams')), ['2026-01-01']);
  });

  it('an export reports what files cannot contain', async () => {
    await using installation = await install();
    const { db, content } = installation;
    const exam = { title: 'Windows', slug: 'windows', container_image: 'i', time_limit_minutes: 5, passing_score: 0 };
    const { id } = await db
      .insertInto('assessments')
      .values({ kind: 'exam', ...exam })
      .returning('id')
      .executeTakeFirstOrThrow();
    // Line endings of Windows become line feeds when they are read, so they are no problem.
    const of = { assessment_kind: 'exam' as const, assessment_id: id };
    const windows = { ...of, title: 'A', slug: 'a', points: 1, verification_script: 'echo PASS\r\n' };
    const blank = { ...of, title: 'B', slug: 'b', points: 1, order_index: 1, verification_script: ' \n' };
    await db.insertInto('assessment_tasks').values([windows, blank]).execute();
    const refused = await content
      .export(newFolder(), { all: false, lessons: undefined })
      .catch((error: unknown) => error);
    assert.ok(refused instanceof ContentError, String(refused));
    assert.deepEqual(
      refused.problems.map(({ file, message }) => [file, message]),
      [['exams/windows/exam.yaml', 'tasks[1].verify: exams/windows/tasks/02-b/verify.sh is empty']],
    );
  });
});
