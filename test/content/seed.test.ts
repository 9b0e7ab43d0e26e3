import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { connectDatabase, type Database } from '../../src/database/connection/connect.ts';
import { withKindFields } from '../../src/entities/task-kinds/kinds.ts';
import { readContent } from '../../src/features/content/layout.ts';
import { ContentError } from '../../src/features/content/problems.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const directory = join(import.meta.dirname, '../../content');
const shipped = await readContent(directory);
const counts = {
  courses: shipped.courses.length,
  themes: shipped.courses.flatMap(({ sections }) => sections.flatMap(({ themes }) => themes)).length,
  exams: shipped.exams.length,
  laboratories: shipped.laboratories.length,
  tasks: [...shipped.exams, ...shipped.laboratories].flatMap(({ tasks }) => tasks).length,
  sandboxTemplates: shipped.sandboxTemplates.length,
};
assert.ok(Object.values(counts).every((count) => count > 0));
/** No text is written in the pages yet. */
const seeded = { ...counts, writtenLessons: 0 };

type Installation = AsyncDisposable & { db: Database; service: ContentService };

/** What one process of the service has: connections of its own. */
function connect({ address }: TestDatabase): Installation {
  const options = { maxConnections: 2, statementTimeout: 30_000, acquireTimeout: 10_000, onError: () => {} };
  const { db } = connectDatabase({ address, ...options });
  return {
    db,
    service: new ContentService(new ContentStore(db, loadConfig({}).catalogue)),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** Rows as they are, save what differs from one database to the next. */
const dump = async (db: Database) => ({
  courses: await db.selectFrom('courses').selectAll().orderBy('order_index').execute(),
  sections: await db.selectFrom('sections').selectAll().orderBy('course_id').orderBy('order_index').execute(),
  themes: await db.selectFrom('themes').selectAll().orderBy('section_id').orderBy('order_index').execute(),
  exams: await db.selectFrom('assessments').where('kind', '=', 'exam').selectAll().orderBy('id').execute(),
  tasks: await db
    .selectFrom('assessment_tasks')
    .where('assessment_kind', '=', 'exam')
    .selectAll()
    .orderBy('assessment_id')
    .orderBy('order_index')
    .execute(),
  laboratories: await db.selectFrom('assessments').where('kind', '=', 'laboratory').selectAll().orderBy('id').execute(),
  practice: await db
    .selectFrom('assessment_tasks')
    .where('assessment_kind', '=', 'laboratory')
    .selectAll()
    .orderBy('assessment_id')
    .orderBy('order_index')
    .execute(),
  templates: await db.selectFrom('sandbox_templates').selectAll().orderBy('order_index').execute(),
});

suite('seeding', () => {
  // Long: a comparison for each kind of content.
  test('a new installation holds exactly what the files say', async () => {
    await using database = await createTestDatabase();
    await using installation = connect(database);
    assert.deepEqual(await installation.service.seedContent(directory), seeded);
    const rows = await dump(installation.db);
    const { courses, exams, sandboxTemplates } = shipped;

    const templateOf = (id: number | null) => {
      const template = rows.templates.find((other) => other.id === id);
      return template ? { sandbox_template: template.slug } : {};
    };
    const sectionsOf = (course_id: number | undefined) => rows.sections.filter((row) => row.course_id === course_id);
    assert.equal(rows.courses.length, courses.length);
    for (const [index, { format: _format, kind: _kind, sections, ...fields }] of courses.entries()) {
      const { id, template_id, ...row } = rows.courses[index] ?? assert.fail();
      assert.deepEqual(
        { ...row, ...templateOf(template_id) },
        {
          ...fields,
          ...{
            order_index: index + 1,
            is_active: true,
            is_class_only: false,
            has_certificate: false,
            repository_id: null,
          },
        },
      );
      const nested = sectionsOf(id).map((section) => ({
        slug: section.slug,
        name: section.name,
        is_active: section.is_active,
        ...templateOf(section.template_id),
        themes: rows.themes
          .filter(({ section_id }) => section_id === section.id)
          .map(({ slug, title, markdown_file_path, duration_minutes, template_id: ofTheme }) => ({
            slug,
            title,
            file: markdown_file_path,
            duration_minutes,
            ...templateOf(ofTheme),
          })),
      }));
      assert.deepEqual(nested, sections);
    }

    assert.equal(rows.exams.length, exams.length);
    for (const [index, { format: _format, kind: _kind, tasks, course, files: _files, ...fields }] of exams.entries()) {
      const found = rows.exams.find(({ slug }) => slug === fields.slug) ?? assert.fail(fields.slug);
      const { id, created_at: _created, course_id, ...row } = found;
      assert.deepEqual(row, {
        ...{
          kind: 'exam',
          section_id: null,
          is_sequential: false,
          opens_at: null,
          opens_after: [],
          origin_id: null,
          revision: 1,
        },
        ...fields,
        ...{ order_index: index + 1, is_active: true, is_session_only: false, has_certificate: false },
      });
      assert.equal(rows.courses.find((other) => other.id === course_id)?.slug, course);
      const own = rows.tasks.filter(({ assessment_id }) => assessment_id === id);
      assert.deepEqual(
        own.map(({ id: _id, assessment_id: _of, assessment_kind: _kind, ...task }) => withKindFields(task)),
        tasks.map(({ files: _files, ...task }, index) => ({ hint: '', ...task, order_index: index + 1 })),
      );
    }

    assert.equal(rows.laboratories.length, shipped.laboratories.length);
    for (const { format: _format, kind: _kind, tasks, section, files: _files, ...fields } of shipped.laboratories) {
      const found = rows.laboratories.find(({ slug }) => slug === fields.slug) ?? assert.fail(fields.slug);
      const { id, created_at: _created, section_id, ...row } = found;
      assert.deepEqual(row, {
        ...{
          kind: 'laboratory',
          course_id: null,
          is_session_only: false,
          has_certificate: false,
          order_index: 0,
          time_limit_minutes: null,
        },
        ...{ opens_at: null, opens_after: [], origin_id: null, revision: 1 },
        ...{ ...fields, is_active: true },
      });
      const place = rows.sections.find((other) => other.id === section_id);
      const course = rows.courses.find((other) => other.id === place?.course_id);
      assert.equal(`${course?.slug}/${place?.slug}`, section);
      assert.deepEqual(
        rows.practice
          .filter(({ assessment_id }) => assessment_id === id)
          .map(({ id: _id, assessment_id: _of, assessment_kind: _kind, ...task }) => withKindFields(task)),
        tasks.map(({ files: _files, ...task }, index) => ({ ...task, order_index: index + 1 })),
      );
    }

    assert.deepEqual(
      rows.templates.map(({ id: _id, ...template }) => template),
      sandboxTemplates.map((template, index) => ({ ...template, order_index: index + 1, is_active: true })),
    );
  });

  test('a second run creates nothing, and keeps changes of administrators', async () => {
    await using database = await createTestDatabase();
    await using installation = connect(database);
    const { db, service } = installation;
    await service.seedContent(directory);
    await db.updateTable('courses').set({ name: 'Our name' }).execute();
    await db.deleteFrom('assessments').where('kind', '=', 'exam').where('slug', '=', 'linux-services').execute();
    const before = await dump(db);
    assert.equal(await service.seedContent(directory), undefined);
    assert.deepEqual(await dump(db), before);
  });

  for (const table of ['courses', 'exams', 'laboratories', 'sandbox_templates'] as const) {
    test(`a database whose only content is in ${table} is left alone, and the directory is not even read`, async () => {
      await using database = await createTestDatabase();
      await using installation = connect(database);
      const { db, service } = installation;
      if (table === 'courses')
        await db.insertInto(table).values({ name: 'Own', slug: 'own', is_active: false }).execute();
      const limits = { time_limit_minutes: 1, passing_score: 0 };
      if (table === 'exams')
        await db
          .insertInto('assessments')
          .values({ kind: 'exam', title: 'Own', container_image: 'own', ...limits })
          .execute();
      if (table === 'laboratories')
        await db
          .insertInto('assessments')
          .values({ kind: 'laboratory', title: 'Own', container_image: 'own', passing_score: 0 })
          .execute();
      const template = { name: 'Own', slug: 'own', image: 'own', memory_mb: 64, cpus: 1 };
      if (table === 'sandbox_templates') await db.insertInto(table).values(template).execute();
      const before = await dump(db);
      assert.equal(await service.seedContent('/nonexistent'), undefined);
      assert.deepEqual(await dump(db), before);
    });
  }

  test('one of several starting processes seeds', async () => {
    await using database = await createTestDatabase();
    await using cleanup = new AsyncDisposableStack();
    const processes = Array.from({ length: 6 }, () => cleanup.use(connect(database)));
    const made = await Promise.all(processes.map(({ service }) => service.seedContent(directory)));
    assert.deepEqual(
      made.filter((result) => result !== undefined),
      [seeded],
    );
    const [first] = processes;
    const rows = await dump(first?.db ?? assert.fail());
    assert.equal(rows.courses.length, counts.courses);
    assert.equal(rows.themes.length, counts.themes);
    assert.equal(rows.exams.length, counts.exams);
    assert.equal(rows.laboratories.length, counts.laboratories);
    const laboratoryTasks = await first?.db
      .selectFrom('assessment_tasks')
      .where('assessment_kind', '=', 'laboratory')
      .select('id')
      .execute();
    assert.equal(rows.tasks.length + (laboratoryTasks?.length ?? 0), counts.tasks);
    assert.equal(rows.templates.length, counts.sandboxTemplates);
  });

  test('nothing is written for content with a problem', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'content-test-'));
    try {
      await writeFile(join(broken, 'sandbox-templates.yaml'), 'format: 1\nkind: sandbox-templates\ntemplates: 3\n');
      await using database = await createTestDatabase();
      await using installation = connect(database);
      await assert.rejects(installation.service.seedContent(broken), ContentError);
      assert.equal((await dump(installation.db)).templates.length, 0);
    } finally {
      await rm(broken, { recursive: true });
    }
  });
});
