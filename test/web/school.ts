import assert from 'node:assert/strict';
import { join } from 'node:path';
import { changesAreKnown } from '../../src/database/processes/agreement.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { TestServer, type TestUser } from '../server.ts';
import { Visitors } from './browser.ts';

const content = join(import.meta.dirname, '../../content');

/** A service with the shipped content, a user of each role, and a student with finished and current work. */
export class School implements AsyncDisposable {
  readonly server: TestServer;
  readonly visitors: Visitors;
  readonly people: { admin: TestUser; instructor: TestUser; student: TestUser };
  /** The ids in the paths of pages. */
  readonly ids: {
    exam: number;
    examAttempt: number;
    laboratory: number;
    laboratoryAttempt: number;
    course: number;
    theme: number;
    sandbox: number;
    schoolClass: number;
    writtenLesson: number;
    user: number;
  };

  private constructor(parts: Pick<School, 'server' | 'visitors' | 'people' | 'ids'>) {
    this.server = parts.server;
    this.visitors = parts.visitors;
    this.people = parts.people;
    this.ids = parts.ids;
  }

  /** Requires an engine and a browser. */
  static async open(): Promise<School> {
    const server = await TestServer.start({ CATALOGUE_IS_OPEN: 'true' });
    const visitors = new Visitors(server);
    await seedContent(server);
    const people = {
      admin: await server.user('admin'),
      instructor: await server.user('instructor'),
      student: await server.user(),
    };
    const schoolClass = await teach(server, people);
    const text = '# Files\n\nA file has a **name**.\n\n```bash\nls -l\n```\n';
    const written = await server.post('/api/admin/written-lessons', people.admin.token, {
      path: 'linux/files.md',
      text,
    });
    const ids = {
      ...(await studyFor(server, people.student)),
      schoolClass,
      writtenLesson: written.body.id,
      user: people.student.id,
    };
    const deadline = `/api/classes/${schoolClass}/deadlines/${ids.laboratory}`;
    const set = await server.put(deadline, people.instructor.token, { due_at: '2099-01-05T08:00:00Z' });
    assert.equal(set.status, 200, set.text);
    return new School({ server, visitors, people, ids });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

/** Imports the shipped content into a service. */
/** Writes what ships, as a start on an empty database does. The service may have read the catalogue before. */
export async function seedContent({ application: { db }, config, database }: TestServer): Promise<void> {
  assert.ok(await new ContentService(new ContentStore(db, config.catalogue)).seedContent(content));
  await changesAreKnown(database);
}

/** Creates a class of the instructor, with the student, a join code and an announcement. */
async function teach(server: TestServer, { instructor, student }: School['people']): Promise<number> {
  const post = async (path: string, body: object) => (await server.post(path, instructor.token, body)).body;
  const [course] = (await server.get('/api/lessons/courses', student.token)).body;
  const { id } = await post('/api/classes', { name: 'Operating systems, 10b', course_ids: [course.id] });
  await post(`/api/classes/${id}/members`, { user_id: student.id });
  await post(`/api/classes/${id}/join-codes`, { max_uses: 30 });
  await post(`/api/classes/${id}/grade-columns`, { name: 'Essay', max_score: 10 });
  const rules = { is_visible: true, passing_percent: 50 };
  await server.put(`/api/classes/${id}/grade-book`, instructor.token, rules);
  const text = 'We meet in **room 12**.\n\n- Bring your laptop.\n- The first lesson is about `ls`.';
  await post('/api/announcements', { class_id: id, title: 'Welcome', text });
  return id;
}

/** Completes lessons, inserts a finished exam, and creates a sandbox. */
async function studyFor(
  server: TestServer,
  student: TestUser,
): Promise<Omit<School['ids'], 'schoolClass' | 'writtenLesson' | 'user'>> {
  const { token } = student;
  const get = async (path: string) => (await server.get(path, token)).body;
  const post = async (path: string, expected: number) => {
    const answer = await server.post(path, token);
    assert.equal(answer.status, expected, answer.text);
    return answer.body;
  };
  const [course] = await get('/api/lessons/courses');
  const themes: { id: number }[] = course.sections.flatMap((section: { themes: object[] }) => section.themes);
  for (const { id } of themes.slice(0, 5)) await post(`/api/lessons/themes/${id}/complete`, 200);
  const theme = themes[5]?.id;
  const [exam] = await get('/api/exams');
  const examAttempt = await finishAttempt(server, student, 'exam', exam.id, [true, false, true]);
  const sections: { id: number }[] = course.sections;
  const found = await Promise.all(
    sections.map(({ id }) => server.get(`/api/laboratories/section/${id}/laboratory`, token)),
  );
  const laboratory = found.find(({ status }) => status === 200)?.body.id;
  const laboratoryAttempt = await finishAttempt(server, student, 'laboratory', laboratory, [true, false]);
  const sandbox = (await post('/api/containers/create', 201)).id;
  assert.ok(theme && laboratory);
  return { exam: exam.id, examAttempt, laboratory, laboratoryAttempt, course: course.id, theme, sandbox };
}
