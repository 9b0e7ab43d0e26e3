import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LocalRepository } from '../git-repository.ts';
import { TestServer, type TestUser, told } from '../server.ts';

const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const introduction =
  '# Einführung\n\n![shell](images/shell.png) ![logo](../shared/logo.svg) [notes](notes%20%C3%BC.txt)\n\n[script](run.sh) ![plan](images/stored-elsewhere.png)\n';

const lfsPointer =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

describe('lessons', () => {
  let repository: LocalRepository;
  let server: TestServer;
  let student: TestUser;
  let admin: TestUser;
  /** Ids by slug. */
  const themes: Record<string, number> = {};
  const courses: Record<string, number> = {};

  before(async () => {
    repository = await LocalRepository.create();
    await repository.commit({
      'linux/introduction.md': introduction,
      'linux/files.md': '# Files',
      'linux/images/shell.png': png,
      'linux/images/unused.png': png,
      'linux/images/stored-elsewhere.png': lfsPointer,
      'linux/notes ü.txt': 'notes',
      'linux/run.sh': 'echo',
      'linux/link.md': { link: 'files.md' },
      'linux/big.md': 'x'.repeat(5 * 1024 * 1024),
      'shared/logo.svg': svg,
    });
    server = await TestServer.start({ LESSONS_REPO_URL: repository.path });
    const { db } = server.application;
    const course = async (slug: string, order_index: number, is_active = true) => {
      const values = { name: slug, slug, description: `About ${slug}`, icon: 'terminal', order_index, is_active };
      courses[slug] = (await db.insertInto('courses').values(values).returning('id').executeTakeFirstOrThrow()).id;
      return courses[slug];
    };
    const section = async (course_id: number, slug: string, order_index: number, is_active = true) =>
      (
        await db
          .insertInto('sections')
          .values({ course_id, name: slug, slug, order_index, is_active })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const theme = async (
      section_id: number,
      slug: string,
      order_index: number,
      markdown_file_path = `linux/${slug}.md`,
    ) => {
      const values = { section_id, title: slug, slug, order_index, markdown_file_path, duration_minutes: 10 };
      themes[slug] = (await db.insertInto('themes').values(values).returning('id').executeTakeFirstOrThrow()).id;
    };
    // Created in another order than displayed.
    const later = await course('later', 2);
    const linux = await course('linux', 1);
    const hidden = await course('hidden', 3, false);
    const second = await section(linux, 'second', 2);
    const dark = await section(linux, 'dark', 1, false);
    const first = await section(linux, 'first', 0);
    await theme(second, 'big', 0);
    await theme(second, 'missing', 1);
    await theme(first, 'files', 1);
    await theme(first, 'introduction', 0);
    await theme(dark, 'dark-theme', 0, 'linux/files.md');
    await theme(await section(hidden, 'of-hidden', 0), 'hidden-theme', 0, 'linux/files.md');
    const odd = await section(later, 'odd', 0);
    await theme(odd, 'outside', 0, '../../etc/passwd');
    await theme(odd, 'absolute', 1, '/etc/passwd');
    await theme(odd, 'link', 2);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    student = await server.user();
    admin = await server.user('admin');
  });

  const path = (slug: string, rest = '') => `/api/lessons/themes/${themes[slug]}${rest}`;
  const activities = async (user: TestUser) =>
    await server.application.db
      .selectFrom('activity_log')
      .selectAll()
      .where('user_id', '=', user.id)
      .where('type', '=', 'lesson_complete')
      .execute();

  it('require a token for every operation', async () => {
    for (const [method, url] of [
      ['GET', '/api/lessons/courses'],
      ['GET', `/api/lessons/courses/${courses['linux']}`],
      ['GET', '/api/lessons/course-summaries'],
      ['GET', '/api/lessons/themes?markdown_file_path=a.md'],
      ['GET', path('files')],
      ['GET', path('files', '/content')],
      ['GET', path('introduction', '/files/images/shell.png')],
      ['POST', path('files', '/complete')],
      ['DELETE', path('files', '/complete')],
      ['POST', '/api/lessons/refresh-repository'],
    ] as const) {
      const answer = await server.request(method, url);
      assert.equal(answer.status, 401, url);
      assert.deepEqual(told(answer), { detail: 'Not authenticated', code: 'unauthorized' });
    }
  });

  it('return 422 for text as an id, and 404 for a missing id', async () => {
    for (const rest of ['', '/content', '/files/a.png']) {
      const wrong = await server.get(`/api/lessons/themes/one${rest}`, student.token);
      assert.equal(wrong.status, 422);
      assert.deepEqual(wrong.body.detail[0].loc, ['path', 'theme_id']);
      assert.equal(wrong.body.detail[0].type, 'int_parsing');
      for (const id of ['2147483647', '99999999999', '0', '-1']) {
        assert.equal((await server.get(`/api/lessons/themes/${id}${rest}`, student.token)).status, 404, id + rest);
      }
    }
    assert.equal((await server.post('/api/lessons/themes/one/complete', student.token)).status, 422);
    assert.equal((await server.post('/api/lessons/themes/2147483647/complete', student.token)).status, 404);
    assert.equal((await server.delete('/api/lessons/themes/2147483647/complete', student.token)).status, 404);
  });

  describe('courses', () => {
    // Long: the whole answer is written out.
    it('are an ordered tree with the progress of the caller', async () => {
      await server.post(path('introduction', '/complete'), student.token);
      const answer = await server.get('/api/lessons/courses', student.token);
      assert.equal(answer.status, 200);
      assert.deepEqual(
        answer.body.map((course: { slug: string }) => course.slug),
        ['linux', 'later'],
      );
      const [linux] = answer.body;
      const { sections, ...course } = linux;
      assert.deepEqual(course, {
        id: courses['linux'],
        name: 'linux',
        slug: 'linux',
        description: 'About linux',
        icon: 'terminal',
        order_index: 1,
        is_active: true,
        template_id: null,
        is_class_only: false,
        has_certificate: false,
        progress: { completed_themes: 1, total_themes: 4, percent: 25 },
      });
      assert.deepEqual(
        sections.map((section: { slug: string; themes: { slug: string; is_completed: boolean }[] }) => [
          section.slug,
          section.themes.map((theme) => [theme.slug, theme.is_completed]),
        ]),
        [
          [
            'first',
            [
              ['introduction', true],
              ['files', false],
            ],
          ],
          [
            'second',
            [
              ['big', false],
              ['missing', false],
            ],
          ],
        ],
      );
      const { themes: inFirst, ...section } = sections[0];
      assert.deepEqual(section, {
        id: section.id,
        course_id: courses['linux'],
        name: 'first',
        slug: 'first',
        order_index: 0,
        is_active: true,
        opens_at: null,
        opens_after: [],
        template_id: null,
      });
      assert.deepEqual(inFirst[0], {
        id: themes['introduction'],
        section_id: section.id,
        title: 'introduction',
        slug: 'introduction',
        markdown_file_path: 'linux/introduction.md',
        duration_minutes: 10,
        order_index: 0,
        template_id: null,
        is_written: false,
        is_completed: true,
      });
      const other = await server.user();
      assert.equal((await server.get('/api/lessons/courses', other.token)).body[0].progress.completed_themes, 0);
    });

    it('are visible only to administrators if they are inactive', async () => {
      const instructor = await server.user('instructor');
      const slugs = async (user: TestUser) =>
        (await server.get('/api/lessons/courses', user.token)).body.flatMap(
          (course: { slug: string; sections: { slug: string }[] }) => [
            course.slug,
            ...course.sections.map((section) => section.slug),
          ],
        );
      const active = ['linux', 'first', 'second', 'later', 'odd'];
      assert.deepEqual(await slugs(student), active);
      assert.deepEqual(await slugs(instructor), active);
      assert.deepEqual(await slugs(admin), ['linux', 'first', 'dark', 'second', 'later', 'odd', 'hidden', 'of-hidden']);
    });
  });

  describe('courses in pages', () => {
    const slugsOf = (body: { slug: string }[]) => body.map(({ slug }) => slug);

    it('are parts of the list, with the links of other lists', async () => {
      const whole = await server.get('/api/lessons/courses', admin.token);
      assert.deepEqual(slugsOf(whole.body), ['linux', 'later', 'hidden']);
      const page = (number: number, token = admin.token) =>
        server.get(`/api/lessons/courses?page=${number}&page_size=2`, token);
      const [first, second, third] = [await page(1), await page(2), await page(3)];
      assert.deepEqual(first.body, whole.body.slice(0, 2));
      assert.deepEqual(second.body, whole.body.slice(2));
      assert.deepEqual([third.status, third.body], [200, []]);
      for (const { headers } of [first, second, third, whole]) assert.equal(headers.get('x-total-count'), '3');
      const target = '</api/lessons/courses?page=2&page_size=2>';
      assert.match(first.headers.get('link') ?? '', new RegExp(`${target.replace('?', '\\?')}; rel="next"`));
      assert.ok(!(second.headers.get('link') ?? '').includes('rel="next"'));
      assert.equal((await page(1, student.token)).headers.get('x-total-count'), '2');
    });

    it('are all of them without a page, with links to the pages that there are', async () => {
      const { headers } = await server.get('/api/lessons/courses', admin.token);
      const link = (rel: string) => `</api/lessons/courses?page=1&page_size=100>; rel="${rel}"`;
      assert.equal(headers.get('link'), `${link('first')}, ${link('last')}`);
      const byDefault = await server.get('/api/lessons/courses?page=1', admin.token);
      assert.equal(byDefault.body.length, 3);
    });

    it('have the progress of the caller', async () => {
      // Staff complete themes without a file as well.
      const { token } = await server.user('instructor');
      await server.post(path('outside', '/complete'), token);
      const { body } = await server.get('/api/lessons/courses?page=2&page_size=1', token);
      assert.deepEqual(slugsOf(body), ['later']);
      assert.deepEqual(body[0].progress, { completed_themes: 1, total_themes: 3, percent: 33.3 });
    });

    it('refuse a page that cannot be', async () => {
      for (const query of ['page=0', 'page_size=0', 'page_size=101', 'page=one', 'page=1&page=2'])
        assert.equal((await server.get(`/api/lessons/courses?${query}`, student.token)).status, 422, query);
    });
  });

  describe('a theme', () => {
    it('knows its neighbours across sections', async () => {
      const theme = await server.get(path('files'), student.token);
      assert.equal(theme.status, 200);
      assert.deepEqual(theme.body, {
        id: themes['files'],
        section_id: theme.body.section_id,
        title: 'files',
        slug: 'files',
        markdown_file_path: 'linux/files.md',
        duration_minutes: 10,
        order_index: 1,
        course_id: courses['linux'],
        is_completed: false,
        completed_at: null,
        previous_theme_id: themes['introduction'],
        next_theme_id: themes['big'],
        template_id: null,
        is_written: false,
        nearest_template_id: null,
      });
      const neighbours = async (slug: string, user: TestUser) => {
        const { body } = await server.get(path(slug), user.token);
        return [body.previous_theme_id, body.next_theme_id];
      };
      assert.deepEqual(await neighbours('introduction', student), [null, themes['files']]);
      assert.deepEqual(await neighbours('missing', student), [themes['big'], null]);
      assert.deepEqual(await neighbours('files', admin), [themes['introduction'], themes['dark-theme']]);
      assert.deepEqual(await neighbours('dark-theme', admin), [themes['files'], themes['big']]);
    });

    it('of an inactive section or course is visible only to administrators', async () => {
      for (const slug of ['dark-theme', 'hidden-theme']) {
        for (const rest of ['', '/content', '/files/x.png']) {
          const answer = await server.get(path(slug, rest), student.token);
          assert.deepEqual(
            [answer.status, answer.code, answer.body],
            [404, 'not_found', { detail: 'Theme not found' }],
            slug + rest,
          );
        }
        assert.equal((await server.post(path(slug, '/complete'), student.token)).status, 404);
        assert.equal((await server.delete(path(slug, '/complete'), student.token)).status, 404);
        assert.equal((await server.get(path(slug), admin.token)).status, 200);
        assert.equal((await server.get(path(slug, '/content'), admin.token)).body, '# Files');
        assert.equal((await server.post(path(slug, '/complete'), admin.token)).status, 200);
      }
    });
  });

  describe('content', () => {
    const content = (accept?: string, headers: Record<string, string> = {}) =>
      server.request('GET', path('introduction', '/content'), {
        token: student.token,
        headers: { ...(accept === undefined ? {} : { accept }), ...headers },
      });

    it('is a JSON string by default', async () => {
      for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/plain, */*']) {
        const answer = await content(accept);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
        assert.equal(answer.body, introduction);
        assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/);
        assert.match(answer.headers.get('cache-control') ?? '', /private/);
      }
    });

    it('is plain text on request', async () => {
      for (const [accept, type] of [
        ['text/markdown', 'text/markdown'],
        ['text/plain', 'text/plain'],
        ['text/plain;q=0.5, text/markdown', 'text/markdown'],
      ] as const) {
        const answer = await content(accept);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
        assert.equal(answer.text, introduction);
      }
    });

    it('has an entity tag for each form, and returns 304 for a known one', async () => {
      const tags = new Set<string>();
      for (const accept of ['application/json', 'text/markdown', 'text/plain']) {
        const tag = (await content(accept)).headers.get('etag') ?? '';
        assert.match(tag, /^"[0-9a-f]{40}-[a-z]+"$/);
        tags.add(tag);
        const answer = await content(accept, { 'if-none-match': `"other", W/${tag}` });
        assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', tag]);
        assert.equal((await content(accept, { 'if-none-match': '"other"' })).status, 200);
      }
      assert.equal(tags.size, 3);
      const [json = ''] = tags;
      assert.equal((await content('text/markdown', { 'if-none-match': json })).status, 200);
    });

    it('can be 5 MB', async () => {
      const answer = await server.get(path('big', '/content'), student.token);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.length, 5 * 1024 * 1024);
    });

    it('are listed for administrators where they are missing', async () => {
      const path = '/api/admin/lessons/missing-files';
      const { status, body, headers } = await server.get(path, admin.token);
      assert.equal(status, 200);
      const expected = ['missing', 'outside', 'absolute', 'link'].map((slug) => themes[slug]);
      assert.deepEqual(
        body.map(({ theme_id }: { theme_id: number }) => theme_id),
        expected,
      );
      assert.deepEqual(body[0], {
        theme_id: themes['missing'],
        course_id: courses['linux'],
        markdown_file_path: 'linux/missing.md',
      });
      assert.equal(headers.get('x-total-count'), '4');
      const second = await server.get(`${path}?page=2&page_size=3`, admin.token);
      assert.deepEqual(second.body, body.slice(3));
      assert.equal((await server.get(path, student.token)).status, 403);
    });

    it('are required for a completion by a student', async () => {
      const progress = async () => (await server.get('/api/lessons/courses', student.token)).body[0].progress;
      const before = await progress();
      for (const slug of ['missing', 'outside']) {
        const refused = await server.post(path(slug, '/complete'), student.token);
        const body = { detail: 'Lesson file not found', code: 'lesson_file_not_found' };
        assert.deepEqual([refused.status, told(refused)], [404, body], slug);
      }
      assert.deepEqual(await progress(), before);
      // A completion from the time when it had a text can still be withdrawn.
      assert.equal((await server.delete(path('missing', '/complete'), student.token)).status, 200);
    });

    it('is 404 for files that are missing or outside of the repository', async () => {
      for (const slug of ['missing', 'outside', 'absolute', 'link']) {
        const answer = await server.get(path(slug, '/content'), student.token);
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [404, 'lesson_file_not_found', { detail: 'Lesson file not found' }],
          slug,
        );
        assert.equal(answer.headers.get('etag'), null);
      }
    });
  });

  describe('files', () => {
    const file = (name: string, headers: Record<string, string> = {}) =>
      server.request('GET', path('introduction', `/files/${name}`), { token: student.token, headers });

    it('are served if the text refers to them, anywhere in the repository', async () => {
      const response = await file('images/shell.png');
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'image/png');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.ok(response.bytes.equals(png));
      const notes = await file('notes%20%C3%BC.txt');
      assert.deepEqual(
        [notes.status, notes.headers.get('content-type'), notes.text],
        [200, 'text/plain; charset=utf-8', 'notes'],
      );
      const logo = await file('..%2Fshared%2Flogo.svg');
      assert.deepEqual([logo.status, logo.headers.get('content-type'), logo.text], [200, 'image/svg+xml', svg]);
      assert.equal(
        logo.headers.get('content-security-policy'),
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      );
    });

    it('are downloads where they are not to be shown', async () => {
      const script = await file('run.sh');
      assert.deepEqual(
        ['content-type', 'content-disposition', 'x-content-type-options'].map((name) => script.headers.get(name)),
        ['application/octet-stream', 'attachment', 'nosniff'],
      );
      assert.equal(script.status, 200);
    });

    it('are never the pointers that Git LFS leaves in their place', async () => {
      const { status, code, text } = await file('images/stored-elsewhere.png');
      assert.deepEqual([status, code], [404, 'lesson_file_not_found']);
      assert.match(text, /Git LFS/);
      assert.doesNotMatch(text, /oid sha256/);
    });

    it('are 304 for a known entity tag', async () => {
      const tag = (await file('images/shell.png')).headers.get('etag') ?? '';
      assert.match(tag, /^"[0-9a-f]{40}"$/);
      assert.equal((await file('images/shell.png', { 'if-none-match': tag })).status, 304);
    });

    it('are nothing else', async () => {
      for (const name of [
        'images/unused.png',
        'images/missing.png',
        'files.md',
        'introduction.md',
        'images',
        'images%2F',
        '..%2F..%2Fetc%2Fpasswd',
        '%2Fetc%2Fpasswd',
        'images%5Cshell.png',
        'images/shell.png%0A',
      ]) {
        const answer = await file(name);
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [404, 'lesson_file_not_found', { detail: 'Lesson file not found' }],
          name,
        );
      }
      assert.equal((await file('images/shell.png%00')).status, 422);
    });

    it('cannot be reached by dots in the path', async () => {
      // `fetch` would take the dots out of the path before it asks.
      const status = await new Promise((resolve, reject) => {
        const options = {
          path: path('introduction', '/files/../../../../../etc/passwd'),
          headers: { authorization: `Bearer ${student.token}` },
        };
        httpRequest(server.url, options, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
      assert.equal(status, 404);
    });
  });

  describe('completion', () => {
    it('is recorded, with one entry in the activity log', async () => {
      const start = Date.now();
      const answer = await server.post(path('files', '/complete'), student.token);
      assert.equal(answer.status, 200);
      const { completed_at, ...progress } = answer.body;
      assert.deepEqual(progress, { user_id: student.id, theme_id: themes['files'], completed: true });
      assert.match(completed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.ok(Math.abs(Date.parse(completed_at) - start) < 60_000);
      const theme = await server.get(path('files'), student.token);
      assert.deepEqual([theme.body.is_completed, theme.body.completed_at], [true, completed_at]);
      const [entry, ...rest] = await activities(student);
      assert.deepEqual(
        [entry?.title, entry?.entity_type, entry?.entity_id, entry?.actor_id, rest.length],
        ['files', 'theme', themes['files'], student.id, 0],
      );
    });

    it('can be repeated without another entry, even concurrently', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => server.post(path('files', '/complete'), student.token)),
      );
      for (const answer of answers) assert.deepEqual([answer.status, answer.body.completed], [200, true]);
      assert.equal((await server.post(path('files', '/complete'), student.token)).status, 200);
      assert.equal((await activities(student)).length, 1);
    });

    it('can be reverted, and repeated with another entry', async () => {
      const never = await server.delete(path('files', '/complete'), student.token);
      const open = { user_id: student.id, theme_id: themes['files'], completed: false, completed_at: null };
      assert.deepEqual([never.status, never.body], [200, open]);
      await server.post(path('files', '/complete'), student.token);
      const back = await server.delete(path('files', '/complete'), student.token);
      assert.deepEqual([back.status, back.body], [200, open]);
      assert.equal((await server.get(path('files'), student.token)).body.is_completed, false);
      assert.equal((await server.post(path('files', '/complete'), student.token)).body.completed, true);
      assert.equal((await activities(student)).length, 2);
    });
  });

  describe('a refresh', () => {
    it('is for administrators', async () => {
      for (const user of [student, await server.user('instructor')]) {
        const answer = await server.post('/api/lessons/refresh-repository', user.token);
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [403, 'admin_required', { detail: 'Admin access required' }],
        );
      }
    });

    it('serves new pushes', async () => {
      assert.equal((await server.get(path('files', '/content'), student.token)).body, '# Files');
      const same = await server.post('/api/lessons/refresh-repository', admin.token);
      assert.deepEqual([same.status, same.body.has_changed], [200, false]);
      const commit = await repository.commit({ 'linux/files.md': '# Files, second edition' });
      const answer = await server.post('/api/lessons/refresh-repository', admin.token);
      assert.deepEqual([answer.status, answer.body], [200, { commit, has_changed: true }]);
      assert.equal((await server.get(path('files', '/content'), student.token)).body, '# Files, second edition');
    });
  });
});

describe('lessons whose repository cannot be reached', () => {
  it('return 503 for texts, and serve everything else', async () => {
    await using server = await TestServer.start({ LESSONS_REPO_URL: '/nowhere/lessons.git' });
    const { db } = server.application;
    const course = await db
      .insertInto('courses')
      .values({ name: 'c', slug: 'c' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const section = await db
      .insertInto('sections')
      .values({ course_id: course.id, name: 's', slug: 's' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const values = { section_id: section.id, title: 't', slug: 't', markdown_file_path: 'a.md' };
    const { id } = await db.insertInto('themes').values(values).returning('id').executeTakeFirstOrThrow();
    const admin = await server.user('admin');
    const answer = await server.get(`/api/lessons/themes/${id}/content`, admin.token);
    assert.deepEqual(
      [answer.status, answer.code, answer.body],
      [503, 'lessons_unavailable', { detail: 'The lessons repository cannot be reached' }],
    );
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    const refresh = await server.post('/api/lessons/refresh-repository', admin.token);
    assert.equal(refresh.status, 503);
    assert.match(refresh.body.detail, /^The lessons repository could not be updated: /);
    assert.ok(!refresh.text.includes('nowhere'));
    assert.equal((await server.get('/api/lessons/courses', admin.token)).status, 200);
    // Nothing is known about the file then.
    const student = await server.user();
    assert.equal((await server.post(`/api/lessons/themes/${id}/complete`, student.token)).status, 200);
  });
});
