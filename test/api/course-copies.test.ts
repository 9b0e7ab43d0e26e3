import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { finishAttempt } from '../finished-attempt.ts';
import { image } from '../made-assessment.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

/** The tables that refer to parts of courses and whose rows a copy of a course gets. */
const copied = [
  ...['assessments', 'assessment_files', 'assessment_tasks', 'course_grants', 'course_repositories'],
  ...['lesson_texts', 'rubric_items', 'sections', 'themes'],
];
/** Whoever copies is its owner. */
const replaced = ['course_staff'];
/** They are about people, classes, or what happened. */
const kept = [
  ...[
    'attempts',
    'certificates',
    'deleted_tasks',
    'deletions',
    'hands',
    'lesson_notes',
    'refused_publications',
    'regrades',
    'theme_progress',
  ],
  ...['class_courses', 'class_openings', 'deadline_extensions', 'exam_sessions', 'grade_book_assessments'],
  ...['laboratory_deadlines', 'notifications', 'assessment_revisions', 'lti_members', 'lti_resource_links'],
  // Of the course alone: they have a name, an address or a credential that is there once.
  ...['container_images', 'course_own_repositories'],
];

const teaching = '/api/teaching/courses';
const bytes = { 'content-type': 'application/octet-stream' };

describe('copies of courses', () => {
  let server: TestServer;
  let admin: TestUser;
  let owner: TestUser;
  let student: TestUser;
  let source: Source;
  before(async () => {
    server = await TestServer.start({ maxCatalogueItems: 60 }, { engine: { reason: 'this test has none' } });
    [admin, owner, student] = [await server.user('admin'), await server.user('instructor'), await server.user()];
    source = await course();
  });
  after(() => server[Symbol.asyncDispose]());

  const done = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer;
    assert.ok(status < 300, text);
    return body;
  };
  const of = (id: number) => `${teaching}/${id}`;
  const created = async (path: string, json: object, by = owner): Promise<number> =>
    (await done(server.post(path, by.token, json))).id;
  const read = (path: string, by = owner) => done(server.get(path, by.token));
  const textOf = async (id: number) => (await server.get(`/api/lessons/themes/${id}/content`, owner.token)).text;
  const copy = (id: number, json: object = {}, by = owner) => server.post(`${of(id)}/copy`, by.token, json);

  type Source = Awaited<ReturnType<typeof course>>;
  /** A course with one of everything that its author decides. */
  async function course() {
    const id = await created(teaching, {
      name: 'Shell',
      description: 'Of shells',
      icon: 'terminal',
      is_class_only: true,
      has_certificate: true,
    });
    await done(
      server.put(`/api/admin/lessons/courses/${id}/grants`, admin.token, { has_root: true, images: ['school/net:1'] }),
    );
    const template = await created(
      '/api/admin/sandbox-templates',
      { name: 'Shell', image, memory_mb: 64, cpus: 1 },
      admin,
    );
    const first = await created(`${of(id)}/sections`, { name: 'First', template_id: template, is_active: true });
    const file = await created(`${of(id)}/written-lessons`, { path: 'one.md', text: '# One\n\n![plan](plan.png)' });
    await done(server.put(`${of(id)}/written-lessons/${file}`, owner.token, { text: '# One\n\nOf a quokka.' }));
    const theme = await created(`${of(id)}/themes`, {
      ...{ title: 'One', section_id: first, markdown_file_path: `courses/${id}/one.md`, is_written: true },
      ...{ duration_minutes: 7, template_id: template },
    });
    await created(`${of(id)}/themes`, { title: 'Two', section_id: first, markdown_file_path: 'repository/two.md' });
    const second = await created(`${of(id)}/sections`, {
      ...{ name: 'Second', opens_at: '2030-01-01T08:00:00.000Z', opens_after: [`theme:${theme}`, `section:${first}`] },
    });
    const texts = { description: 'A', introduction: 'B', conclusion: 'C', setup_script: 'touch /srv/x', user: 'root' };
    const assessment = { ...texts, container_image: image, passing_score: 1, is_active: false };
    const laboratory = await created(`${of(id)}/laboratories`, {
      ...{ ...assessment, title: 'Practice', section_id: second, is_sequential: true },
    });
    const exam = await created(`${of(id)}/exams`, {
      ...{ ...assessment, title: 'Final', time_limit_minutes: 45, is_session_only: true, has_certificate: true },
      opens_after: [`laboratory:${laboratory}`],
    });
    const task = {
      ...{ title: 'Make it', description: 'Do', points: 2.5, verification_script: 'echo "SCORE 1/2"' },
      ...{ solution_script: 'touch a', partial_script: 'touch b', has_partial_credit: true, setup_script: 'true' },
      ...{ solution: '`touch a`', solution_visible: 'after_due' },
    };
    const tasks = [
      await created(`${of(id)}/laboratories/${laboratory}/tasks`, { ...task, hint: 'Look' }),
      await created(`${of(id)}/exams/${exam}/tasks`, task),
    ];
    for (const [index, path] of [`laboratories/${laboratory}`, `exams/${exam}`].entries())
      await created(`${of(id)}/${path}/tasks/${tasks[index]}/rubric`, { text: 'Tidy', points: 0.5 });
    for (const [index, path] of [`laboratories/${laboratory}`, `exams/${exam}`].entries())
      for (const place of ['?path=/srv/all', `?path=/srv/one&task_id=${tasks[index]}&mode=0600`]) {
        const sent = { token: owner.token, headers: bytes, body: new Uint8Array([index, 7]) };
        await done(server.request('PUT', `${of(id)}/${path}/files${place}`, sent));
      }
    const { db } = server.application;
    await db.insertInto('course_repositories').values({ course_id: id, outline: '{"slug":"shell"}' }).execute();
    return { id, first, second, theme, laboratory, exam };
  }

  /** The content of a course as files, with the names that are unique as those of the first course. */
  const contentOf = async (id: number, slugs: Record<string, string> = {}) => {
    const { files } = await read(`${of(id)}/export`);
    const text = JSON.stringify(files).replaceAll(`courses/${id}/`, 'courses/0/');
    return JSON.parse(Object.entries(slugs).reduce((whole, [from, to]) => whole.replaceAll(from, to), text));
  };
  const rowsOf = async (id: number): Promise<Record<string, number>> => {
    const sections = sql`select id from sections where course_id = ${id}`;
    const assessments = sql`select kind, id from assessments where course_id = ${id} or section_id in (${sections})`;
    const themes = sql`select id from themes where section_id in (${sections})`;
    const counts: Record<string, ReturnType<typeof sql>> = {
      ...{ sections, themes, lesson_texts: sql`select from lesson_texts where theme_id in (${themes})` },
      assessments,
      assessment_tasks: sql`select from assessment_tasks where (assessment_kind, assessment_id) in (${assessments})`,
      assessment_files: sql`select from assessment_files where (kind, assessment_id) in (${assessments})`,
      rubric_items: sql`select from rubric_items where (kind, assessment_id) in (${assessments})`,
      course_grants: sql`select from course_grants where course_id = ${id}`,
      course_repositories: sql`select from course_repositories where course_id = ${id}`,
    };
    const found: Record<string, number> = {};
    for (const [table, rows] of Object.entries(counts)) {
      const counted = await sql<{ n: number }>`select count(*)::int as n from (${rows}) as found`.execute(
        server.application.db,
      );
      found[table] = counted.rows[0]?.n ?? 0;
    }
    return found;
  };

  it('have all that the course has, hidden and with drafts, and belong to who copies', async () => {
    const made = await done(copy(source.id, { name: 'Shell, spring' }));
    assert.deepEqual(
      [
        made.name,
        made.slug,
        made.is_active,
        made.my_role,
        made.is_class_only && made.has_certificate,
        made.description,
        made.icon,
      ],
      ['Shell, spring', 'shell-spring', false, 'owner', true, 'Of shells', 'terminal'],
    );
    const same = { 'shell-spring': 'shell', 'Shell, spring': 'Shell', 'practice-2': 'practice', 'final-2': 'final' };
    const hidden = await contentOf(made.id, { ...same, 'is_active: false\\nsections': 'sections' });
    assert.deepEqual(hidden, await contentOf(source.id));
    const rows = await rowsOf(made.id);
    assert.deepEqual(rows, await rowsOf(source.id));
    assert.deepEqual(Object.keys(rows).sort(), copied.toSorted());
    assert.ok(
      Object.values(rows).every((count) => count > 0),
      JSON.stringify(rows),
    );
    assert.deepEqual(await read(`${of(made.id)}/grants`), await read(`${of(source.id)}/grants`));
    assert.deepEqual(
      (await read(`${of(made.id)}/staff`)).map(({ user_id, role }: Record<string, unknown>) => [user_id, role]),
      [[owner.id, 'owner']],
    );
  });

  it('wait for their own parts, and have their own files of lessons', async () => {
    const { id } = await done(copy(source.id));
    const [first, second] = await read(`${of(id)}/sections`);
    const [theme] = await read(`${of(id)}/themes`);
    const [laboratory] = await read(`${of(id)}/laboratories`);
    const [exam] = await read(`${of(id)}/exams`);
    assert.deepEqual(
      [second.opens_after, second.opens_at, exam.opens_after, laboratory.section_id, exam.course_id],
      [
        [`theme:${theme.id}`, `section:${first.id}`],
        '2030-01-01T08:00:00.000Z',
        [`laboratory:${laboratory.id}`],
        second.id,
        id,
      ],
    );
    const [file] = await read(`${of(id)}/written-lessons`);
    assert.deepEqual([file.path, file.revision], [`courses/${id}/one.md`, 1]);
    assert.equal(theme.markdown_file_path, file.path);
    await done(server.put(`${of(id)}/written-lessons/${file.id}`, owner.token, { text: '# Other' }));
    assert.match(await textOf(source.theme), /quokka/);
    assert.match(await textOf(theme.id), /Other/);
    // A change of the copy's files and tasks leaves the original alone.
    const [task] = exam.tasks;
    await done(server.delete(`${of(id)}/exams/${exam.id}/tasks/${task.id}`, owner.token));
    assert.equal((await read(`${of(source.id)}/exams/${source.exam}/files`)).length, 2);
    assert.equal((await read(`${of(id)}/exams/${exam.id}/files`)).length, 1);
  });

  it('are made without what happened in the course', async () => {
    await finishAttempt(server, student, 'exam', source.exam, [true]);
    await done(server.post(`/api/classes`, owner.token, { name: 'Class', course_ids: [source.id] }));
    const { id } = await done(copy(source.id));
    const [exam] = await read(`${of(id)}/exams`);
    const { db } = server.application;
    assert.equal(
      (await db.selectFrom('attempts').select('id').where('assessment_id', '=', exam.id).execute()).length,
      0,
    );
    assert.equal((await db.selectFrom('class_courses').selectAll().where('course_id', '=', id).execute()).length, 0);
    const { origin_id } = await db
      .selectFrom('assessments')
      .select('origin_id')
      .where('id', '=', exam.id)
      .executeTakeFirstOrThrow();
    assert.equal(origin_id, source.exam);
    const again = await done(copy(id));
    const [third] = await read(`${of(again.id)}/exams`);
    const of3 = await db
      .selectFrom('assessments')
      .select('origin_id')
      .where('id', '=', third.id)
      .executeTakeFirstOrThrow();
    assert.equal(of3.origin_id, source.exam);
  });

  it('are made by owners and administrators alone', async () => {
    const editor = await server.user('instructor');
    await done(server.post(`${of(source.id)}/staff`, owner.token, { user_id: editor.id, role: 'editor' }));
    for (const [user, status, code] of [
      [editor, 403, 'owner_only'],
      [student, 404, 'not_found'],
      [await server.user('instructor'), 404, 'not_found'],
    ] as const) {
      const answer = await copy(source.id, {}, user);
      assert.deepEqual([answer.status, answer.code], [status, code]);
    }
    const made = await done(copy(source.id, {}, admin));
    assert.equal(made.my_role, 'owner');
    for (const json of [{ name: '' }, { name: 'x'.repeat(201) }, { name: 7 }])
      assert.equal((await copy(source.id, json)).status, 422);
    assert.equal((await copy(2_000_000_000)).status, 404);
  });

  it('are whole or nothing: beyond a maximum, and for an image that was removed', async () => {
    const { db } = server.application;
    const count = async () =>
      Number(
        (
          await db
            .selectFrom('courses')
            .select(({ fn }) => fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      );
    const before = await count();
    await sql`insert into sections (course_id, name, slug) select ${source.id}, 'Many', 'many-' || n from generate_series(1, 70) as n`.execute(
      db,
    );
    const full = await copy(source.id);
    assert.deepEqual([full.status, full.code], [409, 'catalogue_full']);
    await sql`delete from sections where name = 'Many'`.execute(db);
    const other = await created(teaching, { name: 'Other' });
    const gone = { container_image: 'school/gone:1', passing_score: 1, time_limit_minutes: 5 };
    const values = { ...gone, kind: 'exam' as const, title: 'Gone', course_id: other };
    await db.insertInto('assessments').values(values).execute();
    await db
      .insertInto('container_images')
      .values({ name: 'Gone', reference: 'school/gone:1', state: 'removed' })
      .execute();
    const refused = await copy(other);
    assert.deepEqual([refused.status, refused.code], [409, 'image_not_usable']);
    assert.equal(await count(), before + 1);
  });

  it('of several at once have different names', async () => {
    const made = await Promise.all([1, 2, 3].map(() => done(copy(source.id, { name: 'Twin' }))));
    assert.deepEqual(made.map(({ slug }) => slug).sort(), ['twin', 'twin-2', 'twin-3']);
  });

  it('know every table that refers to parts of courses', async () => {
    const { rows } = await sql<{ name: string }>`select distinct table_name as name from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and column_name in ('course_id', 'section_id', 'theme_id', 'assessment_id', 'exam_id', 'laboratory_id')`.execute(
      server.application.db,
    );
    const known = [...copied, ...replaced, ...kept];
    assert.deepEqual(
      rows.map(({ name }) => name).filter((name) => !known.includes(name)),
      [],
    );
  });

  describe('of one exam or laboratory', () => {
    for (const [kind, plural] of [
      ['exam', 'exams'],
      ['laboratory', 'laboratories'],
    ] as const) {
      it(`are drafts with its tasks and files, through both doors: ${plural}`, async () => {
        for (const [by, at] of [
          [owner, `${of(source.id)}/${plural}`],
          [admin, `/api/admin/${plural}`],
        ] as const) {
          const original = await read(`${at}/${source[kind]}`, by);
          const made = await done(server.post(`${at}/${source[kind]}/copy`, by.token, { title: 'Second try' }));
          const strip = ({ tasks, ...rest }: Record<string, object[]>) => ({
            ...{ ...rest, id: 0, slug: '', title: '', created_at: '', order_index: 0, is_active: false, revision: 1 },
            tasks: tasks?.map((task) => ({ ...task, id: 0, assessment_id: 0, exam_id: 0, laboratory_id: 0 })),
          });
          assert.deepEqual(strip(made), strip(original));
          assert.deepEqual([made.title, made.is_active], ['Second try', false]);
          const files = await read(`${at}/${made.id}/files`, by);
          const before = await read(`${at}/${source[kind]}/files`, by);
          const plain = (file: Record<string, unknown>) => ({ ...file, id: 0, task_id: file['task_id'] !== null });
          assert.deepEqual(files.map(plain), before.map(plain));
          const [task] = made.tasks;
          assert.deepEqual(
            files.map(({ task_id }: { task_id: number | null }) => task_id),
            [null, task.id],
          );
          const same = await done(server.post(`${at}/${made.id}/copy`, by.token));
          assert.equal(same.title, 'Second try');
          assert.notEqual(same.slug, made.slug);
        }
      });
    }

    it('go to another section of the course, where they wait for nothing', async () => {
      const path = `${of(source.id)}/laboratories`;
      await done(server.put(`${path}/${source.laboratory}`, owner.token, { opens_after: [`section:${source.first}`] }));
      const there = await done(server.post(`${path}/${source.laboratory}/copy`, owner.token, {}));
      assert.deepEqual([there.section_id, there.opens_after], [source.second, [`section:${source.first}`]]);
      const moved = await done(
        server.post(`${path}/${source.laboratory}/copy`, owner.token, { section_id: source.first }),
      );
      assert.deepEqual([moved.section_id, moved.opens_after], [source.first, []]);
    });

    it('are refused to viewers, for what does not exist, and beyond a maximum', async () => {
      const viewer = await server.user('instructor');
      await done(server.post(`${of(source.id)}/staff`, owner.token, { user_id: viewer.id, role: 'viewer' }));
      const path = `${of(source.id)}/laboratories/${source.laboratory}/copy`;
      const refused = await server.post(path, viewer.token, {});
      assert.deepEqual([refused.status, refused.code], [403, 'viewer']);
      assert.equal((await server.post(`${of(source.id)}/exams/2000000000/copy`, owner.token, {})).status, 404);
      assert.equal((await server.post('/api/admin/exams/2000000000/copy', admin.token, {})).status, 404);
      assert.equal((await server.post(path, owner.token, { section_id: 2_000_000_000 })).status, 404);
      const byAdmin = `/api/admin/laboratories/${source.laboratory}/copy`;
      assert.equal((await server.post(byAdmin, admin.token, { section_id: 2_000_000_000 })).status, 404);
      assert.equal((await server.post(path, owner.token, { title: '' })).status, 422);
      const { db } = server.application;
      await sql`insert into assessments (kind, title, slug, container_image, passing_score)
        select 'laboratory', 'Many', 'many-' || n, ${image}, 1 from generate_series(1, 100) as n`.execute(db);
      const full = await server.post(path, owner.token, {});
      assert.deepEqual([full.status, full.code], [409, 'catalogue_full']);
    });
  });
});
