import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../database/activity-log.ts';
import { type CatalogueLimits, checkLimit } from '../../database/catalogue/catalogue-limits.ts';
import { copyRows } from '../../database/catalogue/copies.ts';
import type { Database } from '../../database/connection/connect.ts';
import { InvalidError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { changeableClass } from './access-store.ts';
import { type MovedDateSchema, maxShiftDays } from './schema.ts';

type Part = {
  /** Columns with dates, in their order. They are moved. */
  moved?: readonly string[];
  /** Columns that are not copied: the copy begins with their defaults. */
  left?: readonly string[];
  /** The title of a row with dates, of the alias `t`. */
  title?: RawBuilder<string>;
};

/** The tables with a `class_id` whose rows a copy of a class gets. All columns are copied, without those that the database generates. */
export const copiedParts: Readonly<Record<string, Part>> = {
  class_courses: {},
  exam_sessions: {
    moved: ['opens_at', 'closes_at'],
    left: ['paused_at', 'released_at', 'created_at'],
    title: sql`t.title`,
  },
  laboratory_deadlines: {
    moved: ['due_at'],
    title: sql`(select title from assessments as a where a.kind = t.laboratory_kind and a.id = t.laboratory_id)`,
  },
  class_openings: {
    moved: ['opens_at'],
    title: sql`coalesce((select name from sections where id = t.section_id),
      (select title from assessments as a where a.kind = t.assessment_kind and a.id = t.assessment_id))`,
  },
  grade_books: {},
  grade_book_assessments: {},
  grade_columns: { left: ['created_at'] },
  announcements: {
    moved: ['shows_from', 'shows_until'],
    left: ['author_id', 'is_due', 'created_at', 'edited_at'],
    title: sql`t.title`,
  },
};

const dayMs = 86_400_000;

/** How a copy moves dates: by days, or so that the first one is on a day, as YYYY-MM-DD in the time zone of the school. */
export type Move = { shift_days?: number; starts_on?: string };

const refused = (place: string, problem: string): InvalidError =>
  new InvalidError([{ loc: [place, 'starts_on'], msg: `Value error, ${problem}`, type: 'value_error' }]);

export type MovedDate = Static<typeof MovedDateSchema>;

/** Copies classes for another term. */
export class ClassCopyStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits;
  readonly #zone: string;

  /** @param zone in which a date that is moved by days keeps its time of the day, whatever the daylight saving */
  constructor(db: Database, limits: CatalogueLimits, zone: string) {
    this.#db = db;
    this.#limits = limits;
    this.#zone = zone;
  }

  /**
   * The dates of a class, and what a copy would make of them, the first one first.
   * @throws NotFoundError, ForbiddenError, InvalidError for a move
   */
  async dates(caller: Caller, classId: number, move: Move): Promise<MovedDate[]> {
    await changeableClass(this.#db, caller, classId, undefined);
    const days = await this.#daysOf(this.#db, classId, move, 'query');
    const found = Object.entries(copiedParts).flatMap(([table, part]) =>
      (part.moved ?? []).map(
        (field) => sql`select ${table}::text as part, ${part.title} as title, ${field}::text as field,
          ${sql.ref(`t.${field}`)} as before, ${this.#movedTo(part, field, days)} as after
          from ${sql.table(table)} as t where class_id = ${classId} and ${sql.ref(`t.${field}`)} is not null`,
      ),
    );
    const { rows } = await sql<MovedDate>`
      select *, extract(isodow from after at time zone ${this.#zone}) > 5 as is_weekend
      from (${sql.join(found, sql` union all `)}) as dates order by before, part, title, field`.execute(this.#db);
    return rows;
  }

  /**
   * The caller becomes the instructor of the copy, which has no other members.
   * @returns its id
   * @throws NotFoundError, ForbiddenError, InvalidError for a move, ConflictError beyond the maximum number of classes
   */
  async copy(caller: Caller, classId: number, { name, ...move }: Move & { name: string }): Promise<number> {
    return await this.#db.transaction().execute(async (trx) => {
      // What belongs to the class is changed under a lock of it.
      const { name: source, description, has_assistant_graders } = await changeableClass(trx, caller, classId, 'share');
      const days = await this.#daysOf(trx, classId, move, 'body');
      const { id } = await trx
        .insertInto('classes')
        .values({ name, description, has_assistant_graders })
        .returning('id')
        .executeTakeFirstOrThrow();
      await trx.insertInto('class_members').values({ class_id: id, user_id: caller.id, role: 'instructor' }).execute();
      for (const [table, part] of Object.entries(copiedParts)) {
        const moved = (part.moved ?? []).map((field) => [field, this.#movedTo(part, field, days)]);
        const changes = { class_id: sql`${id}::integer`, ...Object.fromEntries(moved) };
        await copyRows(trx, table, sql`class_id = ${classId}`, changes, part.left);
      }
      await sql`update announcements set author_id = ${caller.id}, is_due = shows_from <= now() where class_id = ${id}`.execute(
        trx,
      );
      await sql`insert into announcement_reads (announcement_id, user_id)
        select id, ${caller.id}::integer from announcements where class_id = ${id}`.execute(trx);
      const details = { new: { name, description } };
      const entry = { actorId: caller.id, type: 'class_create', title: name, entityType: 'class', entityId: id };
      await logActivity(trx, { ...entry, details: { ...details, class: source } });
      await checkLimit(trx, 'classes', this.#limits);
      return id;
    });
  }

  /** The number of days by which all dates are moved. @throws InvalidError */
  async #daysOf(db: Database, classId: number, move: Move, place: 'query' | 'body'): Promise<number> {
    const { shift_days, starts_on } = move;
    if (starts_on === undefined) return shift_days ?? 0;
    if (shift_days !== undefined) throw refused(place, 'give `shift_days` or `starts_on`, not both');
    const fields = Object.entries(copiedParts).flatMap(([table, { moved = [] }]) =>
      moved.map((field) => sql`select ${sql.ref(field)} from ${sql.table(table)} where class_id = ${classId}`),
    );
    const { rows } = await sql<{ first: string | null }>`
      select to_char(min(moment) at time zone ${this.#zone}, 'YYYY-MM-DD') as first
      from (${sql.join(fields, sql` union all `)}) as dates (moment)`.execute(db);
    const first = rows[0]?.first ?? starts_on;
    const days = (Date.parse(starts_on) - Date.parse(first)) / dayMs;
    if (Math.abs(days) > maxShiftDays) throw refused(place, `the first date, ${first}, is too far from this one`);
    return days;
  }

  /** A date of a row, of the alias `t`. An end stays after its start where an hour of the clock exists twice. */
  #movedTo({ moved = [] }: Part, column: string, days: number): RawBuilder<unknown> {
    const at = (name: string) =>
      sql`((${sql.ref(`t.${name}`)} at time zone ${this.#zone}) + make_interval(days => ${days}::integer)) at time zone ${this.#zone}`;
    const [start = column] = moved;
    // Without an end, greatest() would give the start.
    return start === column
      ? at(column)
      : sql`case when ${sql.ref(`t.${column}`)} is not null
          then greatest(${at(column)}, ${at(start)} + interval '1 minute') end`;
  }
}
