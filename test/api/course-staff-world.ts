import assert from 'node:assert/strict';
import { image } from '../made-assessment.ts';
import type { TestServer, TestUser } from '../server.ts';

/** What a course has, by the name of the parameter or field that refers to it. */
export type CourseIds = {
  course: number;
  section: number;
  theme: number;
  exam: number;
  examTask: number;
  examFile: number;
  laboratory: number;
  laboratoryTask: number;
  laboratoryFile: number;
  examItem: number;
  laboratoryItem: number;
  written: number;
  repository: number;
  image: number;
};
type StaffRole = 'owner' | 'editor' | 'viewer';

const bytes = { 'content-type': 'application/octet-stream' };
let names = 0;
const unique = (word: string): string => {
  names += 1;
  return `${word} ${names}`;
};

/** Courses with one of everything, and their staff. */
export class CourseStaffWorld {
  readonly server: TestServer;
  readonly admin: TestUser;
  template = 0;

  private constructor(server: TestServer, admin: TestUser) {
    [this.server, this.admin] = [server, admin];
  }

  static async make(server: TestServer): Promise<CourseStaffWorld> {
    const world = new CourseStaffWorld(server, await server.user('admin'));
    const fields = { name: 'Shell', image, memory_mb: 64, cpus: 1 };
    world.template = (await world.made('POST', '/api/admin/sandbox-templates', world.admin, fields)).id;
    return world;
  }

  /** Sends a request that creates something. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  async made(method: string, path: string, { token }: TestUser, json: unknown): Promise<any> {
    const { status, body, text } = await this.server.request(method, path, { token, json });
    assert.ok(status === 200 || status === 201, `${method} ${path}: ${status} ${text}`);
    return body;
  }

  /** A course of a teacher, made through its own door. */
  async course(owner: TestUser): Promise<CourseIds> {
    const create = async (path: string, fields: object): Promise<number> =>
      (await this.made('POST', path, owner, fields)).id;
    const course = await create('/api/teaching/courses', { name: unique('Course') });
    const path = `/api/teaching/courses/${course}`;
    await this.made('PUT', `/api/admin/lessons/courses/${course}/grants`, this.admin, {
      ...{ has_repository: true, registries: ['127.0.0.1:9'] },
    });
    const repository = await create(`${path}/repositories`, {
      ...{ name: 'Own', url: `https://127.0.0.1:1/${course}.git` },
    });
    const reference = `127.0.0.1:9/school/of-${course}:1`;
    const added = await create(`${path}/images`, { name: 'Own', reference });
    const section = await create(`${path}/sections`, { name: 'Section' });
    const theme = await create(`${path}/themes`, { title: 'Theme', section_id: section, markdown_file_path: 'a.md' });
    const written = await create(`${path}/written-lessons`, { path: 'lesson.md', text: `# ${unique('Text')}` });
    const assessment = { container_image: image, passing_score: 1, is_active: false };
    const exam = await create(`${path}/exams`, { ...assessment, title: unique('Exam'), time_limit_minutes: 30 });
    const laboratory = await create(`${path}/laboratories`, {
      ...{ ...assessment, title: unique('Laboratory'), section_id: section },
    });
    const task = { title: 'Task', points: 1, verification_script: 'echo FAIL' };
    const file = async (of: string): Promise<number> => {
      const body = new Uint8Array([120]);
      const sent = { token: owner.token, headers: bytes, body };
      const answer = await this.server.request('PUT', `${path}/${of}/files?path=/srv/file`, sent);
      assert.equal(answer.status, 201, answer.text);
      return answer.body.id;
    };
    const examTask = await create(`${path}/exams/${exam}/tasks`, task);
    const laboratoryTask = await create(`${path}/laboratories/${laboratory}/tasks`, task);
    const item = { text: 'Tidy', points: 1 };
    return {
      ...{ course, section, theme, written, exam, laboratory, repository, image: added },
      ...{ examTask, laboratoryTask },
      examItem: await create(`${path}/exams/${exam}/tasks/${examTask}/rubric`, item),
      laboratoryItem: await create(`${path}/laboratories/${laboratory}/tasks/${laboratoryTask}/rubric`, item),
      examFile: await file(`exams/${exam}`),
      laboratoryFile: await file(`laboratories/${laboratory}`),
    };
  }

  async addStaff({ course }: Pick<CourseIds, 'course'>, user: TestUser, role: StaffRole): Promise<void> {
    await this.made('POST', `/api/teaching/courses/${course}/staff`, this.admin, { user_id: user.id, role });
  }
}

/** The path of an operation with the ids of a course in it. @param changed ids that differ */
export function pathIn(path: string, ids: CourseIds, changed: Partial<Record<string, number>> = {}): string {
  const kind = path.includes('/laboratories') ? 'laboratory' : path.includes('/exams') ? 'exam' : undefined;
  const values: Record<string, number> = {
    ...{ course_id: ids.course, section_id: ids.section, theme_id: ids.theme, revision: 1, user_id: 2_000_000_000 },
    id: path.includes('/images')
      ? ids.image
      : path.includes('/repositories')
        ? ids.repository
        : kind === undefined
          ? ids.written
          : ids[kind],
    task_id: kind === undefined ? 0 : ids[`${kind}Task`],
    item_id: kind === undefined ? 0 : ids[`${kind}Item`],
    file_id: kind === undefined ? 0 : ids[`${kind}File`],
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(changed[name] ?? values[name]));
}
