import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LocalRepository } from '../git-repository.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

type Found = {
  kind: string;
  id: number;
  title: string;
  where: string[];
  excerpt: { text: string; is_match: boolean }[];
  theme_id: number | null;
};

const files = {
  'rights.md':
    '---\ntitle: Hidden word frontmatterword\n---\n# Rights\n\nEach file has **permissions**. They are shown by `ls -l /etc/passwd`.\n\n```bash\nchmod u+x script.sh\n```\n',
  'prava.md': '# Права\n\nУ каждого файла есть права доступа. Их меняет команда `chmod`.\n',
  'loops.md': '# Loops\n\nA `while` loop ends when its test fails.\n',
};
const assessment = { container_image: 'platform-exam-linux-basics', passing_score: 1 };

describe('the search', () => {
  let repository: LocalRepository;
  let server: TestServer;
  let [admin, teacher, member, outsider] = [] as unknown as [TestUser, TestUser, TestUser, TestUser];
  const made = async (path: string, json: object, by = admin): Promise<number> => {
    const { status, body, text } = await server.post(path, by.token, json);
    assert.equal(status, 201, text);
    return body.id;
  };
  const course = (name: string, fields: object = {}) => made('/api/admin/lessons/courses', { name, ...fields });
  const section = (course_id: number, name: string, fields: object = {}) =>
    made('/api/admin/lessons/sections', { name, course_id, ...fields });
  const theme = (section_id: number, title: string, markdown_file_path: string) =>
    made('/api/admin/lessons/themes', { title, section_id, markdown_file_path });
  const ids: Record<string, number> = {};

  before(async () => {
    repository = await LocalRepository.create();
    await repository.commit(files);
    // The second process reads what the first has written.
    server = await TestServer.start(
      { LESSONS_REPO_URL: repository.path, searchRefreshSeconds: 1, INSTRUCTOR_SCOPE: 'classes' },
      {},
      2,
    );
    [admin, teacher, member, outsider] = [
      await server.user('admin'),
      await server.user('instructor'),
      await server.user(),
      await server.user(),
    ];
    const linux = await course('Linux');
    const files1 = await section(linux, 'Files');
    ids['rights'] = await theme(files1, 'File rights', 'rights.md');
    ids['prava'] = await theme(files1, 'Права на файлы', 'prava.md');
    ids['loops'] = await theme(files1, 'Loops', 'loops.md');
    await theme(files1, 'Chmod in the title', 'none.md');
    const hidden = await course('For a class', { is_class_only: true });
    const closed = await section(hidden, 'Closed');
    ids['closed'] = await theme(closed, 'Zebra of a class', 'rights.md');
    const draft = await course('Draft', { is_active: false });
    await theme(await section(draft, 'Draft'), 'Zebra of a draft', 'rights.md');
    await theme(await section(linux, 'Inactive', { is_active: false }), 'Zebra of a section', 'rights.md');
    const exam = { ...assessment, time_limit_minutes: 5, description: 'About a **zebra**' };
    ids['exam'] = await made('/api/admin/exams', { ...exam, title: 'Open exam', course_id: linux });
    await made('/api/admin/exams', { ...exam, title: 'Exam of a class', course_id: hidden });
    await made('/api/admin/laboratories', { ...assessment, title: 'Zebra laboratory', section_id: closed });
    const group = await made('/api/classes', { name: 'Its class', course_ids: [hidden] }, teacher);
    await made(`/api/classes/${group}/members`, { user_id: member.id });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  const search = async (user: TestUser, q: string, process = 0): Promise<Found[]> => {
    const address = `${server.urls[process]}/api/search?q=${encodeURIComponent(q)}`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${user.token}` } });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text).results;
  };
  const titles = async (user: TestUser, q: string, process = 0) =>
    (await search(user, q, process)).map(({ kind, title }) => `${kind}: ${title}`).sort();
  const isFound = (user: TestUser, q: string, title: string, process = 0) =>
    until(async () => (await titles(user, q, process)).includes(title), title);
  const isGone = (user: TestUser, q: string, title: string, process = 0) =>
    until(async () => !(await titles(user, q, process)).includes(title), `the end of ${title}`);

  it('finds the words of titles and texts in any form, and shows where they are', async () => {
    await isFound(outsider, 'permission', 'lesson: File rights');
    const [found] = await search(outsider, 'permission');
    assert.deepEqual([found?.id, found?.where], [ids['rights'], ['Linux', 'Files']]);
    const matches = found?.excerpt.filter(({ is_match }) => is_match).map(({ text }) => text);
    assert.deepEqual(matches, ['permissions']);
    assert.match(found?.excerpt.map(({ text }) => text).join('') ?? '', /Each file has permissions\. They are shown/);
    assert.deepEqual(await titles(outsider, 'frontmatterword'), []);
    // A title comes before a text.
    assert.deepEqual((await search(outsider, 'chmod '))[0]?.title, 'Chmod in the title');
  });

  it('finds Russian and English words whatever the language of the text, and those that are frequent', async () => {
    await isFound(outsider, 'правам', 'lesson: Права на файлы');
    for (const [text, title] of [
      ['командой', 'Права на файлы'],
      ['ПРАВА chmod', 'Права на файлы'],
      ['while ', 'Loops'],
      ['passwd', 'File rights'],
      ['/etc/passwd', 'File rights'],
      ['ls -l', 'File rights'],
      ['"file has permissions"', 'File rights'],
      ['nothing or loops', 'Loops'],
    ] as const)
      assert.ok((await titles(outsider, text)).includes(`lesson: ${title}`), text);
    assert.deepEqual(await titles(outsider, '"permissions has file"'), []);
  });

  it('finds each beginning of the word that is being typed', async () => {
    await isFound(outsider, 'permissions', 'lesson: File rights');
    for (let length = 3; length <= 'permissions'.length; length += 1) {
      const beginning = 'file permissions'.slice(0, 5 + length);
      assert.ok((await titles(outsider, beginning)).includes('lesson: File rights'), beginning);
    }
    assert.deepEqual(await titles(outsider, 'permi '), []);
  });

  it('finds nothing for texts without words, and refuses what is no query', async () => {
    for (const text of ['"', '-', "'\\", '%', '()&|!:*', '<->', 'or']) await search(outsider, text);
    assert.deepEqual(await search(outsider, '&|!'), []);
    const status = async (query: string) => (await server.get(`/api/search${query}`, outsider.token)).status;
    assert.deepEqual([await status(''), await status('?q='), await status(`?q=${'a'.repeat(201)}`)], [422, 422, 422]);
  });

  it('shows each user what the user may see', async () => {
    const open = 'exam: Open exam';
    const ofClass = ['exam: Exam of a class', 'laboratory: Zebra laboratory', 'lesson: Zebra of a class'];
    assert.deepEqual(await titles(outsider, 'zebra'), [open]);
    assert.deepEqual(await titles(member, 'zebra'), [...ofClass, open].sort());
    assert.deepEqual(await titles(teacher, 'zebra'), [...ofClass, open].sort());
    const drafts = ['lesson: Zebra of a draft', 'lesson: Zebra of a section'];
    assert.deepEqual(await titles(admin, 'zebra'), [...ofClass, ...drafts, open].sort());
  });

  it('finds the notes of the caller only', async () => {
    const note = { theme_id: ids['rights'], heading: 'lesson-a', excerpt: 'A paragraph', text: 'Ask about giraffes' };
    await made('/api/notes', note, member);
    const [found] = await search(member, 'giraffe');
    assert.deepEqual(
      [found?.kind, found?.title, found?.where, found?.theme_id],
      ['note', 'A paragraph', ['Linux', 'Files', 'File rights'], ids['rights']],
    );
    for (const other of [outsider, teacher, admin]) assert.deepEqual(await search(other, 'giraffe'), []);
  });

  it('finds the students of an instructor, and all users for administrators', async () => {
    const kinds = async (by: TestUser, who: TestUser) =>
      (await titles(by, who.username)).map((title) => title.split(':')[0]);
    assert.deepEqual(await kinds(teacher, member), ['user']);
    assert.deepEqual(await kinds(teacher, outsider), []);
    assert.deepEqual(await kinds(teacher, admin), []);
    for (const who of [member, outsider, teacher]) assert.deepEqual(await kinds(admin, who), ['user']);
    assert.deepEqual(await kinds(member, member), []);
  });

  it('follows changes of titles, places and files in all processes', async () => {
    const path = `/api/admin/lessons/themes/${ids['loops']}`;
    await isFound(outsider, 'while', 'lesson: Loops', 1);
    assert.equal((await server.put(path, admin.token, { title: 'Walruses' })).status, 200);
    // The title is known at once.
    for (const process of [0, 1])
      assert.deepEqual(await titles(outsider, 'walrus', process), ['lesson: Walruses'], `process ${process}`);
    await repository.commit({ ...files, 'loops.md': '# Loops\n\nAn octopus.\n', 'other.md': 'A pelican.' });
    assert.equal((await server.post('/api/lessons/refresh-repository', admin.token)).status, 200);
    for (const process of [1, 0]) await isFound(outsider, 'octopus', 'lesson: Walruses', process);
    await isGone(outsider, 'while ', 'lesson: Walruses', 1);
    assert.equal((await server.put(path, admin.token, { markdown_file_path: 'other.md' })).status, 200);
    await isFound(outsider, 'pelican', 'lesson: Walruses', 1);
    assert.equal((await server.put(path, admin.token, { markdown_file_path: 'missing.md' })).status, 200);
    await isGone(outsider, 'pelican', 'lesson: Walruses', 1);
    assert.equal((await server.delete(path, admin.token)).status, 200);
    assert.deepEqual(await titles(outsider, 'walrus', 1), []);
  });
});
