import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const base = '/api/admin/lessons';

describe('administration of lessons', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (path: string, fields: object): Promise<Answer['body']> => {
    const answer = await server.post(`${base}/${path}`, admin.token, fields);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const course = (fields: object = {}) => create('courses', { name: 'Course', ...fields });
  const section = (course_id: number, fields: object = {}) =>
    create('sections', { name: 'Section', course_id, ...fields });
  const theme = (section_id: number, fields: object = {}) =>
    create('themes', { title: 'Theme', section_id, markdown_file_path: 'a/b.md', ...fields });
  const acts = async (entity_type: string, entity_id: number) =>
    await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'title', 'actor_id', 'user_id', 'details'])
      .where('entity_type', '=', entity_type)
      .where('entity_id', '=', entity_id)
      .orderBy('id')
      .execute();
  const items = (answer: Answer) => {
    assert.equal(answer.status, 422, answer.text);
    return answer.body.detail.map((item: { loc: string[]; type: string }) => [item.loc.join('.'), item.type]);
  };

  it('creates courses from the query string and JSON, with generated slugs and order', async () => {
    const query = new URLSearchParams({ name: 'Über den Kernel!', description: 'About it', icon: '🐧' });
    const first = await server.post(`${base}/courses?${query}`, admin.token);
    assert.equal(first.status, 201, first.text);
    const { id, order_index, ...rest } = first.body;
    assert.deepEqual(rest, {
      name: 'Über den Kernel!',
      slug: 'uber-den-kernel',
      description: 'About it',
      icon: '🐧',
      is_active: true,
      template_id: null,
      is_class_only: false,
      has_certificate: false,
      repository_id: null,
    });
    const second = await course({ name: 'Uber den, Kernel' });
    assert.deepEqual([second.slug, second.order_index], ['uber-den-kernel-2', order_index + 1]);
    assert.equal((await course({ name: 'Основы' })).slug, 'course');
    assert.equal((await course({ name: 'Основы', slug: 'osnovy' })).slug, 'osnovy');

    assert.deepEqual((await server.get(`${base}/courses/${id}`, admin.token)).body, first.body);
    const [entry] = await acts('course', id);
    assert.deepEqual(
      [entry?.type, entry?.title, entry?.actor_id, entry?.user_id],
      ['admin_course_create', 'Über den Kernel!', admin.id, null],
    );
  });

  it('creates sections and themes with generated slugs and order', async () => {
    const [{ id }, second] = [await course({ name: 'With sections' }), await course({ name: 'With another' })];
    const one = await section(id);
    const two = await section(id, { order_index: 7, is_active: false });
    assert.deepEqual(
      [one, two].map(({ id: _id, ...fields }) => fields),
      [
        { slug: 'section', order_index: 1, is_active: true },
        { slug: 'section-2', order_index: 7, is_active: false },
      ].map((own) => ({ course_id: id, name: 'Section', template_id: null, opens_at: null, opens_after: [], ...own })),
    );
    assert.equal((await section(second.id)).slug, 'section', 'each course has slugs of its own');
    const lesson = await theme(one.id, { duration_minutes: 12 });
    const { id: themeId, ...fields } = lesson;
    assert.deepEqual(fields, {
      section_id: one.id,
      title: 'Theme',
      slug: 'theme',
      markdown_file_path: 'a/b.md',
      duration_minutes: 12,
      order_index: 1,
      template_id: null,
      is_written: false,
    });
    assert.deepEqual((await server.get(`${base}/themes/${themeId}`, admin.token)).body, lesson);
    assert.deepEqual((await server.get(`${base}/sections/${two.id}`, admin.token)).body, two);
  });

  it('assigns unique slugs to courses of one name created concurrently', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => course({ name: 'At once' })));
    assert.deepEqual(made.map(({ slug }) => slug).sort(), [
      'at-once',
      'at-once-2',
      'at-once-3',
      'at-once-4',
      'at-once-5',
      'at-once-6',
    ]);
    assert.equal(new Set(made.map(({ order_index }) => order_index)).size, 6);
  });

  it('lists in order and in pages, optionally for one parent', async () => {
    const { id } = await course();
    const last = await section(id, { order_index: 9 });
    const first = await section(id, { order_index: 2 });
    const list = await server.get(`${base}/sections?course_id=${id}`, admin.token);
    assert.deepEqual(list.body, [first, last]);
    const page = await server.get(`${base}/sections?course_id=${id}&page=2&page_size=1`, admin.token);
    assert.deepEqual([page.body, page.headers.get('x-total-count')], [[last], '2']);
    assert.match(page.headers.get('link') ?? '', /rel="prev"/);
    const lesson = await theme(first.id);
    assert.deepEqual((await server.get(`${base}/themes?section_id=${first.id}`, admin.token)).body, [lesson]);
    const courses = await server.get(`${base}/courses`, admin.token);
    const order = courses.body.map((row: { order_index: number; id: number }) => [row.order_index, row.id]);
    assert.deepEqual(
      order,
      order.toSorted((a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0)),
    );
  });

  it('changes only the given fields', async () => {
    const made = await course({ description: 'old', icon: 'x' });
    const changed = await server.put(`${base}/courses/${made.id}?description=new`, admin.token);
    assert.deepEqual([changed.status, changed.body], [200, { ...made, description: 'new' }]);
    const hidden = await server.put(`${base}/courses/${made.id}`, admin.token, { is_active: false, order_index: 3 });
    assert.deepEqual(hidden.body, { ...changed.body, is_active: false, order_index: 3 });
    const unchanged = await server.put(`${base}/courses/${made.id}`, admin.token, { is_active: false });
    assert.deepEqual([unchanged.status, unchanged.body], [200, hidden.body]);
    assert.deepEqual((await server.put(`${base}/courses/${made.id}`, admin.token)).body, hidden.body);
    const entries = (await acts('course', made.id)).slice(1);
    assert.deepEqual(
      entries.map(({ type, details }) => [type, details]),
      [
        ['admin_course_update', { old: { description: 'old' }, new: { description: 'new' } }],
        [
          'admin_course_update',
          { old: { is_active: true, order_index: made.order_index }, new: { is_active: false, order_index: 3 } },
        ],
      ],
      'what changes nothing is not told of',
    );
    const student = await server.user();
    const seen = await server.get('/api/lessons/courses', student.token);
    assert.ok(!seen.body.some(({ id }: { id: number }) => id === made.id));
  });

  it('moves sections and themes, with another slug if theirs is taken', async () => {
    const from = await course();
    const to = await course();
    const there = await section(to.id);
    const moved = await section(from.id);
    const answer = await server.put(`${base}/sections/${moved.id}`, admin.token, { course_id: to.id });
    assert.deepEqual([answer.status, answer.body], [200, { ...moved, course_id: to.id, slug: 'section-2' }]);
    const lesson = await theme(there.id);
    const query = `?section_id=${moved.id}&markdown_file_path=c.md`;
    const placed = await server.put(`${base}/themes/${lesson.id}${query}`, admin.token);
    assert.deepEqual(placed.body, { ...lesson, section_id: moved.id, markdown_file_path: 'c.md' });
  });

  it('deletes rows with their children; exams of the course are kept', async () => {
    const { id } = await course();
    const part = await section(id);
    const lesson = await theme(part.id);
    const student = await server.user();
    assert.equal((await server.post(`/api/lessons/themes/${lesson.id}/complete`, student.token)).status, 200);
    const exam = await server.post('/api/admin/exams', admin.token, {
      title: 'Exam',
      container_image: 'image',
      time_limit_minutes: 5,
      passing_score: 1,
      course_id: id,
    });
    assert.equal(exam.status, 201, exam.text);
    const deleted = await server.delete(`${base}/courses/${id}`, admin.token);
    assert.deepEqual([deleted.status, deleted.body], [200, { detail: 'Course deleted' }]);
    for (const path of [`courses/${id}`, `sections/${part.id}`, `themes/${lesson.id}`]) {
      assert.equal((await server.get(`${base}/${path}`, admin.token)).status, 404, path);
    }
    const { db } = server.application;
    const kept = await db
      .selectFrom('assessments')
      .where('kind', '=', 'exam')
      .select('course_id')
      .where('id', '=', exam.body.id)
      .executeTakeFirst();
    assert.deepEqual(kept, { course_id: null });
    const progress = await db.selectFrom('theme_progress').selectAll().where('theme_id', '=', lesson.id).execute();
    assert.deepEqual(progress, []);
    assert.equal((await acts('course', id)).at(-1)?.type, 'admin_course_delete');

    const other = await section((await course()).id);
    const single = await theme(other.id);
    assert.equal((await server.delete(`${base}/themes/${single.id}`, admin.token)).status, 200);
    assert.equal((await server.delete(`${base}/sections/${other.id}`, admin.token)).status, 200);
    assert.equal((await acts('theme', single.id)).at(-1)?.type, 'admin_theme_delete');
  });

  it('refuses what is not there', async () => {
    const unknown = 2_000_000_000;
    const { id } = await course();
    const part = await section(id);
    const lesson = await theme(part.id);
    const cases: [string, string, object | undefined, string][] = [
      ['POST', 'sections', { name: 'x', course_id: unknown }, 'Course not found'],
      ['POST', 'themes', { title: 'x', section_id: unknown, markdown_file_path: 'a.md' }, 'Section not found'],
      ['PUT', `sections/${part.id}`, { course_id: unknown }, 'Course not found'],
      ['PUT', `themes/${lesson.id}`, { section_id: unknown }, 'Section not found'],
      ...['course', 'section', 'theme'].flatMap((one): [string, string, undefined, string][] =>
        ['GET', 'PUT', 'DELETE'].map((method) => [
          method,
          `${one}s/${unknown}`,
          undefined,
          `${one.charAt(0).toUpperCase()}${one.slice(1)} not found`,
        ]),
      ),
    ];
    for (const [method, path, json, detail] of cases) {
      const answer = await server.request(method, `${base}/${path}`, { token: admin.token, json });
      assert.deepEqual([answer.status, answer.code, answer.body], [404, 'not_found', { detail }], `${method} ${path}`);
    }
    assert.equal((await server.get(`${base}/courses/3000000000`, admin.token)).status, 404);
    assert.deepEqual(items(await server.get(`${base}/courses/x`, admin.token)), [['path.course_id', 'int_parsing']]);
  });

  it('refuses missing, invalid or repeated fields, and taken slugs', async () => {
    const { id, slug } = await course({ slug: 'taken-slug' });
    assert.deepEqual(items(await server.post(`${base}/courses`, admin.token)), [['query.name', 'missing']]);
    assert.deepEqual(items(await server.post(`${base}/courses`, admin.token, { name: '' })), [
      ['body.name', 'string_too_short'],
    ]);
    assert.deepEqual(items(await server.post(`${base}/courses`, admin.token, { name: 'x', slug: 'Not A Slug' })), [
      ['body.slug', 'string_pattern_mismatch'],
    ]);
    assert.deepEqual(items(await server.post(`${base}/courses?name=x`, admin.token, { name: 'y' })), [
      ['query.name', 'value_error'],
    ]);
    assert.deepEqual(items(await server.put(`${base}/courses/${id}?order_index=first`, admin.token)), [
      ['query.order_index', 'int_parsing'],
    ]);
    const other = await course();
    for (const answer of [
      await server.post(`${base}/courses`, admin.token, { name: 'x', slug }),
      await server.put(`${base}/courses/${other.id}`, admin.token, { slug }),
    ]) {
      assert.deepEqual([answer.status, answer.code, answer.body], [409, 'slug_taken', { detail: 'The slug is taken' }]);
    }
    const form = await server.request('POST', `${base}/courses`, {
      token: admin.token,
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    assert.equal(form.status, 415);
  });

  it('refuses paths outside the lessons repository', async () => {
    const { id } = await section((await course()).id);
    const lesson = await theme(id);
    for (const path of ['/etc/passwd', '../x.md', 'a/../../x.md', 'a\\b.md', 'a//b.md', './a.md', 'a/', 'a\0b.md']) {
      const refused = [['body', 'markdown_file_path'].join('.'), 'value_error'];
      const fields = { title: 'x', section_id: id, markdown_file_path: path };
      assert.deepEqual(items(await server.post(`${base}/themes`, admin.token, fields)), [refused], path);
      const query = new URLSearchParams({ markdown_file_path: path });
      assert.deepEqual(items(await server.put(`${base}/themes/${lesson.id}?${query}`, admin.token)), [
        ['query.markdown_file_path', 'value_error'],
      ]);
    }
    assert.equal((await theme(id, { markdown_file_path: 'a..b/Übung 1.md' })).markdown_file_path, 'a..b/Übung 1.md');
  });

  it('is for administrators', async () => {
    for (const role of ['student', 'instructor'] as const) {
      const { token } = await server.user(role);
      for (const [method, path] of ['courses', 'sections', 'themes'].flatMap((many) => [
        ['GET', many],
        ['POST', many],
        ['GET', `${many}/1`],
        ['PUT', `${many}/1`],
        ['DELETE', `${many}/1`],
      ])) {
        const answer = await server.request(method ?? '', `${base}/${path}`, { token });
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [403, 'admin_required', { detail: 'Admin access required' }],
          `${method} ${path}`,
        );
      }
    }
  });
});
