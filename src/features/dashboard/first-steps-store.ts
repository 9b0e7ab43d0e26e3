import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { Caller } from '../../http/access/access.ts';

export type FirstFacts = {
  has_course: boolean;
  has_student: boolean;
  has_class: boolean;
  has_exam_session: boolean;
  has_backup: boolean;
};
export type OwnFacts = { has_class: boolean; has_student: boolean; has_exam_session: boolean };

/** More images than a school has. The engine is asked for each. */
const maxImages = 20;

/** What an installation has already. Each statement ends at the first row that it finds. */
export class FirstStepsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async ofInstallation(): Promise<FirstFacts> {
    const { rows } = await sql<FirstFacts>`
      select exists (select from courses where is_active) as has_course,
        exists (select from users where role = 'student' and id > 0) as has_student,
        exists (select from classes where not is_archived) as has_class,
        exists (select from exam_sessions) as has_exam_session,
        backed_up_at is not null as has_backup
      from installation`.execute(this.#db);
    const [facts] = rows;
    if (!facts) throw new Error('There is no row of the installation');
    return facts;
  }

  /** Of the classes whose instructor the caller is. A join code stands for the students whom it will bring. */
  async ofInstructor({ id }: Pick<Caller, 'id'>): Promise<OwnFacts> {
    const { rows } = await sql<OwnFacts>`
      with own as (select classes.id from classes join class_members on class_id = classes.id
        where user_id = ${id} and role = 'instructor' and not is_archived)
      select exists (select from own) as has_class,
        exists (select from class_members where class_id in (select id from own) and role = 'student')
          or exists (select from class_join_codes where class_id in (select id from own)) as has_student,
        exists (select from exam_sessions where class_id in (select id from own))
          or exists (select from exam_session_users where user_id = ${id} and role = 'instructor') as has_exam_session`.execute(
      this.#db,
    );
    return rows[0] ?? { has_class: false, has_student: false, has_exam_session: false };
  }

  /** Of the exams and laboratories that students can start. */
  async images(): Promise<string[]> {
    const { rows } = await sql<{ image: string }>`
      select distinct container_image as image from assessments where is_active order by image limit ${maxImages}`.execute(
      this.#db,
    );
    return rows.map(({ image }) => image);
  }
}
