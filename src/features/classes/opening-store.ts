import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../database/connection/connect.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import { NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { openClass, seenClass } from './access-store.ts';
import { logInClass } from './deadline-store.ts';
import type { ClassOpeningSchema } from './schema.ts';

/** A section, an exam or a laboratory of the courses of a class. */
export type OpeningPart = { kind: 'section' | 'exam' | 'laboratory'; id: number };
export type ClassOpening = Static<typeof ClassOpeningSchema>;

/** When classes open the parts of their courses, in the place of the course's own time. */
export class ClassOpeningStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What students see of the courses of the class: each section with its laboratory, then the exams. @throws NotFoundError */
  async list(caller: Caller, classId: number, page: Page): Promise<{ rows: ClassOpening[]; total: number }> {
    await seenClass(this.#db, caller, classId);
    const columns = sql`kind, id, course_id, course, title, opens_at, own_opens_at`;
    const order = sql`course_order, course_id, place, section_order, section_id, kind = 'laboratory', exam_order, id`;
    return await readList(this.#db, { columns, from: sql`(${partsOf(classId)}) as parts`, order }, page);
  }

  /**
   * @param at null: the course's own time holds again
   * @throws NotFoundError for the class or a part that is in none of its courses, ForbiddenError, ConflictError for an archived class
   */
  async set(caller: Caller, classId: number, { kind, id }: OpeningPart, at: Date | null): Promise<ClassOpening> {
    return await this.#db.transaction().execute(async (trx) => {
      const of = await openClass(trx, caller, classId);
      const chosen = sql<ClassOpening>`select kind, id, course_id, course, title, opens_at, own_opens_at
        from (${partsOf(classId)}) as parts where kind = ${kind} and id = ${id}`;
      const [part] = (await chosen.execute(trx)).rows;
      if (!part) throw new NotFoundError('not_found', 'It was not found in the courses of the class');
      const column = kind === 'section' ? { section_id: id } : { assessment_kind: kind, assessment_id: id };
      if (at === null) {
        const own = trx.deleteFrom('class_openings').where('class_id', '=', classId);
        await (kind === 'section'
          ? own.where('section_id', '=', id)
          : own.where('assessment_kind', '=', kind).where('assessment_id', '=', id)
        ).execute();
      } else {
        const rows = trx.insertInto('class_openings').values({ class_id: classId, ...column, opens_at: at });
        await rows
          .onConflict((conflict) => conflict.constraint('class_openings_part').doUpdateSet({ opens_at: at }))
          .execute();
      }
      await logInClass(trx, caller, 'class_opening_set', of, { part: part.title, opens_at: at });
      return { ...part, own_opens_at: at };
    });
  }
}

const partsOf = (classId: number): RawBuilder<unknown> => sql`
  with sections_of as (
    select sections.*, courses.name as course, courses.order_index as course_order from class_courses
    join courses on courses.id = class_courses.course_id and courses.is_active
    join sections on sections.course_id = courses.id and sections.is_active where class_id = ${classId}),
  parts as (
    select 'section' as kind, id, course_id, course, course_order, name as title, opens_at,
      0 as place, order_index as section_order, id as section_id, 0 as exam_order from sections_of
    union all select 'laboratory', a.id, s.course_id, course, course_order, a.title, a.opens_at, 0, s.order_index, s.id, 0
      from assessments as a join sections_of as s on s.id = a.section_id where a.kind = 'laboratory' and a.is_active
    union all select 'exam', a.id, courses.id, courses.name, courses.order_index, a.title, a.opens_at, 1, 0, 0, a.order_index
      from assessments as a join courses on courses.id = a.course_id and courses.is_active
      join class_courses on class_courses.course_id = courses.id and class_courses.class_id = ${classId}
      where a.kind = 'exam' and a.is_active)
  select parts.*, own.opens_at as own_opens_at from parts
  left join class_openings as own on own.class_id = ${classId}
    and (parts.kind = 'section' and own.section_id = parts.id
      or own.assessment_kind = parts.kind and own.assessment_id = parts.id)`;
