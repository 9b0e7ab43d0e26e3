import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClassRole, Role } from '../../src/database/tables.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { image, makeAssessment } from '../made-assessment.ts';
import { withSameIds } from '../same-ids.ts';
import type { TestServer, TestUser } from '../server.ts';
import type { World } from './access-matrix.ts';

/** Those who send requests: the people of a class, of another class, and an administrator. */
export type People = Record<
  'admin' | 'instructor' | 'assistant' | 'helper' | 'tutor' | 'otherInstructor' | 'otherAssistant' | 'otherStudent',
  TestUser
>;
/** A student of a class, with data of each kind that contains the canary. The name and the description of the class contain the other. */
export type Victim = World & { canary: string; classCanary: string };

type Catalogue = Omit<
  World,
  'mine' | 'class' | 'session' | 'chosenSession' | 'sandbox' | 'note' | 'token' | 'examAttempt' | 'laboratoryAttempt'
> & { examEssay: number; laboratoryEssay: number };

/** Two classes of a school: only one is made for each victim, with the same people. Nothing here needs a container. */
export class LeakWorld {
  readonly server: TestServer;
  readonly people: People;
  /** The class of the others. */
  readonly otherClass: number;
  readonly #catalogue: Catalogue;
  #victims = 0;

  private constructor(parts: Pick<LeakWorld, 'server' | 'people' | 'otherClass'>, catalogue: Catalogue) {
    this.server = parts.server;
    this.people = parts.people;
    this.otherClass = parts.otherClass;
    this.#catalogue = catalogue;
  }

  static async make(server: TestServer): Promise<LeakWorld> {
    const roles: Record<keyof People, Role> = {
      ...{ admin: 'admin', instructor: 'instructor', assistant: 'instructor', helper: 'student', tutor: 'student' },
      ...{ otherInstructor: 'instructor', otherAssistant: 'instructor', otherStudent: 'student' },
    };
    const people = {} as People;
    for (const [name, role] of Object.entries(roles)) people[name as keyof People] = await server.user(role);
    const { admin } = people;
    const fresh = async (path: string, fields: Record<string, unknown>): Promise<number> => {
      const { status, body, text } = await server.post(path, admin.token, fields);
      if (status !== 201) throw new Error(`${path}: ${text}`);
      return body.id;
    };
    const course = await fresh('/api/admin/lessons/courses', { name: 'Course' });
    const section = await fresh('/api/admin/lessons/sections', { name: 'Section', course_id: course });
    const lesson = { title: 'Theme', section_id: section, markdown_file_path: 'a.md' };
    const theme = await fresh('/api/admin/lessons/themes', lesson);
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: course });
    const sessionExam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: course });
    const laboratory = await withSameIds(server.application.db, () =>
      makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id: section }),
    );
    const shell = { name: 'Shell', image, memory_mb: 128, cpus: 1 };
    const template = await fresh('/api/admin/sandbox-templates', shell);
    const tasks = async (path: string): Promise<number> => (await server.get(path, admin.token)).body[0].id;
    const examTask = await tasks(`/api/admin/exams/${exam}/tasks`);
    const laboratoryTask = await tasks(`/api/admin/laboratories/${laboratory}/tasks`);
    const essay = async (path: string): Promise<number> =>
      (await server.post(path, admin.token, { title: 'Essay', points: 1, kind: 'essay' })).body.id;
    const examEssay = await essay(`/api/admin/exams/${exam}/tasks`);
    const laboratoryEssay = await essay(`/api/admin/laboratories/${laboratory}/tasks`);
    const freshUser = async () => (await server.user()).id;
    const catalogue = {
      course,
      section,
      theme,
      exam,
      examTask,
      laboratory,
      laboratoryTask,
      ...{ examEssay, laboratoryEssay },
      sessionExam,
      template,
      fresh,
      freshUser,
    };
    const otherClass = await makeClass(server, 'Other class', course, [
      ['instructor', people.otherInstructor],
      ['assistant', people.otherAssistant],
      ['student', people.otherStudent],
    ]);
    return new LeakWorld({ server, people, otherClass }, { server, admin, ...catalogue });
  }

  async victim(): Promise<Victim> {
    const { server, people } = this;
    const { db } = server.application;
    this.#victims += 1;
    // The lists begin with them, and no other text contains them.
    const canary = `0canary${this.#victims}x`;
    const classCanary = `0classcanary${this.#victims}x`;
    const user = await server.user();
    const [username, email] = [canary, `${canary}@example.com`];
    await db.updateTable('users').set({ username, email, full_name: canary }).where('id', '=', user.id).execute();
    const mine = { ...user, username, email };
    const { course, theme, exam, laboratory } = this.#catalogue;
    const id = await makeClass(server, classCanary, course, [
      ['instructor', people.instructor],
      ['assistant', people.assistant],
      ['assistant', people.helper],
      ['instructor', people.tutor],
      ['student', mine],
    ]);
    const session = await this.#session(id, mine);
    const chosenSession = await this.#chosenSession(classCanary, mine);
    const running = (kind: 'exam' | 'laboratory' | 'sandbox', more: object) => ({
      ...{ kind, name: `${canary}-${kind}`, user_id: mine.id, image, engine_ref: 'none', status: 'running' as const },
      ...more,
    });
    const attempts = { exam: 0, laboratory: 0 };
    for (const kind of ['exam', 'laboratory'] as const) {
      const finished = await finishAttempt(server, mine, kind, this.#catalogue[kind], [true]);
      await db.updateTable('attempts').set({ title: canary }).where('id', '=', finished).execute();
      await db.updateTable('task_results').set({ output: canary }).where('attempt_id', '=', finished).execute();
      const started = {
        ...{ kind, assessment_id: { exam, laboratory }[kind], user_id: mine.id },
        ...{ title: canary, container_name: `${canary}-${kind}`, status: 'in_progress' as const },
        ...{ max_score: 1, passing_score: 1, expires_at: new Date(Date.now() + 3_600_000) },
        // The dashboard of instructors shows it.
        grading_error: 'The container did not answer',
      };
      const row = await db.insertInto('attempts').values(started).returning('id').executeTakeFirstOrThrow();
      attempts[kind] = row.id;
      const { examEssay, laboratoryEssay } = this.#catalogue;
      const task_id = { exam: examEssay, laboratory: laboratoryEssay }[kind];
      await db.insertInto('task_answers').values({ attempt_id: row.id, task_id, text: canary }).execute();
      await db
        .insertInto('containers')
        .values(running(kind, { attempt_id: row.id }))
        .execute();
    }
    const values = running('sandbox', { slot: 1 });
    const sandbox = await db.insertInto('containers').values(values).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('theme_progress')
      .values({ user_id: mine.id, theme_id: theme, completed: true, completed_at: new Date() })
      .execute();
    const note = await db
      .insertInto('lesson_notes')
      .values({ user_id: mine.id, theme_id: theme, excerpt: canary, text: canary })
      .returning('id')
      .executeTakeFirstOrThrow();
    const token = await db
      .insertInto('personal_tokens')
      .values({ user_id: mine.id, name: canary, scopes: ['read'], hash: canary, expires_at: new Date(2e12) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return {
      ...{ note: note.id, token: token.id },
      ...{ ...this.#catalogue, mine, class: id, session, chosenSession, canary, classCanary },
      ...{ sandbox: sandbox.id, examAttempt: attempts.exam, laboratoryAttempt: attempts.laboratory },
      recording: await this.#record(attempts.exam, canary),
    };
  }

  /** An exam session of a class, with an accommodation of its student. The answers about it contain the name of the class. */
  async #session(class_id: number, { id: user_id }: TestUser): Promise<number> {
    const { db } = this.server.application;
    const { sessionExam: exam_id } = this.#catalogue;
    const times = { opens_at: new Date('2020-01-01'), closes_at: new Date('2099-01-01') };
    const values = { exam_id, class_id, title: 'A session', ...times };
    const session = await db.insertInto('exam_sessions').values(values).returning('id').executeTakeFirstOrThrow();
    const accommodation = { session_id: session.id, user_id, time_factor: 1.5 };
    await db.insertInto('exam_accommodations').values(accommodation).execute();
    await db
      .insertInto('class_accommodations')
      .values({ class_id, user_id, time_factor: 1.5, break_minutes: 10 })
      .execute();
    const ended = { kind: 'exam', status: 'abandoned', title: 'Ended', max_score: 1, passing_score: 1 } as const;
    const place = {
      assessment_id: exam_id,
      session_id: session.id,
      user_id,
      container_name: `ended-${session.id}`,
      expires_at: new Date(),
    };
    const attempt = db
      .insertInto('attempts')
      .values({ ...ended, ...place })
      .returning('id');
    const { id: attempt_id } = await attempt.executeTakeFirstOrThrow();
    await db.insertInto('attempt_signals').values({ attempt_id, pastes: 1 }).execute();
    return session.id;
  }

  /** A session of the instructor for the student alone, with an accommodation. Its title is that of the class. */
  async #chosenSession(title: string, { id: user_id }: TestUser): Promise<number> {
    const { db } = this.server.application;
    const times = { opens_at: new Date('2020-01-01'), closes_at: new Date('2099-01-01') };
    const values = { exam_id: this.#catalogue.sessionExam, title, ...times };
    const session = await db.insertInto('exam_sessions').values(values).returning('id').executeTakeFirstOrThrow();
    const session_id = session.id;
    const users = [
      { session_id, user_id },
      { session_id, user_id: this.people.instructor.id, role: 'instructor' as const },
    ];
    await db.insertInto('exam_session_users').values(users).execute();
    await db.insertInto('exam_accommodations').values({ session_id, user_id, time_factor: 1.5 }).execute();
    return session_id;
  }

  async #record(attempt_id: number, text: string): Promise<number> {
    const { server } = this;
    const key = randomBytes(20).toString('hex');
    await mkdir(join(server.dataDir, 'recordings'), { recursive: true });
    await writeFile(join(server.dataDir, 'recordings', `${key}.cast`), `{"version":2,"title":"${text}"}\n`);
    const row = { attempt_id, key, cols: 80, rows: 24, ended_at: new Date(), bytes: 40 };
    const { db } = server.application;
    return (await db.insertInto('recordings').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }
}

/** Its description contains its name. Its join code is its own. */
async function makeClass(
  { application: { db } }: TestServer,
  name: string,
  course: number,
  members: readonly [ClassRole, TestUser][],
): Promise<number> {
  const values = { name, description: `About ${name}` };
  const { id } = await db.insertInto('classes').values(values).returning('id').executeTakeFirstOrThrow();
  await db.insertInto('class_courses').values({ class_id: id, course_id: course }).execute();
  const rows = members.map(([role, user]) => ({ class_id: id, user_id: user.id, role }));
  await db.insertInto('class_members').values(rows).execute();
  const code = name.replaceAll(/[^a-z0-9]/gi, '').toUpperCase();
  await db
    .insertInto('class_join_codes')
    .values({ class_id: id, code: code.padEnd(8, '0') })
    .execute();
  return id;
}
