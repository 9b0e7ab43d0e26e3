import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { LocalRepository } from '../git-repository.ts';
import { image } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';

const checkFile = (path: string, word: string) =>
  `[ "$(head -c 100 ${path} 2>/dev/null)" = '${word}' ] && echo PASS && exit
echo "- ${path} does not hold ${word}"; echo FAIL`;

/** What a school does with the service, in its order and through the API alone: each step stands on the ones before. */
describeLong('a course from creation to results', { skip: engineSkip }, () => {
  const cleanup = new AsyncDisposableStack();
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  let instructor: TestUser;
  const made: Record<string, number> = {};

  before(async () => {
    const repository = cleanup.use(await LocalRepository.create());
    await repository.commit({ 'greetings/hello.md': '# Hello\n\nSay hello with `echo`.\n' });
    server = cleanup.use(await TestServer.start({ LESSONS_REPO_URL: repository.path }));
    admin = await server.user('admin');
  });
  after(() => cleanup.disposeAsync());

  const good = (answer: Answer, status: number) => {
    assert.equal(answer.status, status, answer.text);
    return answer.body;
  };
  const create = async (path: string, fields: object): Promise<number> =>
    good(await server.post(path, admin.token, fields), 201).id;

  it('an administrator creates accounts', async () => {
    for (const role of ['student', 'instructor'] as const) {
      const account = { username: `the-${role}`, email: `${role}@example.com`, password: 'a long password', role };
      const { id } = good(await server.post('/api/admin/users', admin.token, account), 201);
      const login = await server.post('/api/auth/login', undefined, account);
      const user = { id, ...account, token: good(login, 200).access_token };
      if (role === 'student') student = user;
      else instructor = user;
    }
  });

  it('and creates a course with a laboratory and an exam', async () => {
    made['course'] = await create('/api/admin/lessons/courses', { name: 'Greetings', description: 'Say hello' });
    made['section'] = await create('/api/admin/lessons/sections', { name: 'First', course_id: made['course'] });
    made['theme'] = await create('/api/admin/lessons/themes', {
      title: 'Hello',
      section_id: made['section'],
      markdown_file_path: 'greetings/hello.md',
      duration_minutes: 5,
    });
    const laboratory = { title: 'Practice', container_image: image, passing_score: 1, section_id: made['section'] };
    made['laboratory'] = await create('/api/admin/laboratories', laboratory);
    await create(`/api/admin/laboratories/${made['laboratory']}/tasks`, {
      title: 'Say hello',
      hint: 'echo writes a line',
      points: 1,
      verification_script: checkFile('/home/student/hello', 'hello'),
      solution_script: 'echo hello > ~/hello',
    });
    const exam = { title: 'Greetings', container_image: image, time_limit_minutes: 20, passing_score: 2 };
    made['exam'] = await create('/api/admin/exams', { ...exam, course_id: made['course'], is_active: false });
    for (const [index, word] of ['morning', 'evening'].entries()) {
      await create(`/api/admin/exams/${made['exam']}/tasks`, {
        title: `Good ${word}`,
        points: index + 1,
        verification_script: checkFile(`/home/student/${word}`, word),
        solution_script: `echo ${word} > ~/${word}`,
      });
    }
    const draft = await server.get('/api/exams', student.token);
    assert.deepEqual(good(draft, 200), [], 'students see no draft');
    const published = good(await server.post(`/api/admin/exams/${made['exam']}/publish`, admin.token), 200);
    assert.equal(published.is_ok, true, JSON.stringify(published));
  });

  it('a student reads the lesson', async () => {
    const [course] = good(await server.get('/api/lessons/courses', student.token), 200);
    const [theme] = course.sections[0].themes;
    assert.deepEqual([course.name, theme.title, theme.is_completed], ['Greetings', 'Hello', false]);
    const text = good(await server.get(`/api/lessons/themes/${theme.id}/content`, student.token), 200);
    assert.match(text, /^# Hello/);
    good(await server.post(`/api/lessons/themes/${theme.id}/complete`, student.token), 200);
  });

  it('attempts the laboratory', async () => {
    const path = `/api/laboratories/section/${made['section']}/laboratory`;
    const laboratory = good(await server.get(path, student.token), 200);
    assert.equal(laboratory.tasks[0].hint, 'echo writes a line');
    const started = good(await server.post(`/api/laboratories/${laboratory.id}/start`, student.token), 201);
    const before = good(await server.post(`/api/laboratories/${laboratory.id}/check`, student.token), 200);
    assert.equal(before.results[0].passed, false);
    await typed(started.container_id, 'echo hello > ~/hello');
    const submitted = good(await server.post(`/api/laboratories/${laboratory.id}/submit`, student.token), 200);
    assert.deepEqual([submitted.status, submitted.passed, submitted.score], ['finished', true, 1]);
  });

  it('and takes the exam', async () => {
    const [exam] = good(await server.get('/api/exams', student.token), 200);
    assert.deepEqual([exam.id, exam.task_count, exam.max_score], [made['exam'], 2, 3]);
    assert.ok(!JSON.stringify(exam).includes('grep'), 'students see no script');
    const started = good(await server.post(`/api/exams/${exam.id}/start`, student.token), 201);
    made['attempt'] = started.attempt_id;
    await typed(started.container_id, 'echo evening > ~/evening');
    const submitted = good(await server.post(`/api/exams/${exam.id}/submit`, student.token), 200);
    assert.deepEqual(
      [submitted.score, submitted.passed, submitted.results.map(({ passed }: { passed: boolean }) => passed)],
      [2, true, [false, true]],
    );
    assert.match(submitted.results[0].output, /morning does not hold morning/);
    const stats = good(await server.get('/api/dashboard/stats', student.token), 200);
    assert.deepEqual([stats.completed_themes, stats.exams_passed, stats.laboratories_passed], [1, 1, 1]);
  });

  it('an instructor sees the results and the recording', async () => {
    const { token } = instructor;
    const listed = good(await server.get(`/api/instructor/attempts?exam_id=${made['exam']}`, token), 200);
    assert.deepEqual([listed.length, listed[0].id, listed[0].username], [1, made['attempt'], student.username]);
    const book = good(await server.get(`/api/instructor/exams/${made['exam']}/grade-book`, token), 200);
    assert.deepEqual(
      book.tasks.map(({ title }: { title: string }) => title),
      ['Good morning', 'Good evening'],
    );
    const [row] = book.students;
    assert.deepEqual([row.username, row.score, row.passed], [student.username, 2, true]);
    assert.deepEqual(
      row.results.map(({ points_earned }: { points_earned: number }) => points_earned),
      [0, 2],
    );
    const csv = await server.get(`/api/instructor/exams/${made['exam']}/grade-book/export`, token);
    assert.equal(csv.status, 200);
    assert.match(csv.text, /the-student/);
    const recordings = `/api/instructor/attempts/${made['attempt']}/recordings`;
    const [recording] = good(await server.get(recordings, token), 200);
    const cast = await server.get(`/api/instructor/recordings/${recording.id}`, token);
    assert.match(cast.text, /echo evening/);
    for (const path of [recordings, `/api/instructor/attempts`])
      assert.equal((await server.get(path, student.token)).status, 403);
  });

  it('and the administrator sees all activity', async () => {
    const acts = good(await server.get('/api/admin/activity?page_size=100', admin.token), 200);
    const types = new Set(acts.map(({ type }: { type: string }) => type));
    const wanted = ['admin_exam_create', 'lesson_complete', 'laboratory_submit', 'exam_start', 'exam_submit'];
    assert.deepEqual(
      wanted.filter((type) => !types.has(type)),
      [],
    );
  });

  /** Types a command into a terminal as the student, and waits until the shell has run it. */
  async function typed(containerId: number, command: string): Promise<void> {
    const terminal = new TerminalClient(`${server.url}/ws/terminal/${containerId}?token=${student.token}`);
    await terminal.ready();
    terminal.type(`${command}; echo do""ne\n`);
    await terminal.shows('\rdone\r\n');
    terminal.type('exit\n');
    await terminal.closed;
  }
});
