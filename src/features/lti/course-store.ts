import { type Selectable, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { LtiContextsTable, LtiResourceLinksTable } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import { changeableClass, openClass } from '../classes/access-store.ts';

export type Course = Selectable<LtiContextsTable>;
export type CourseClaims = Pick<
  Course,
  'platform_id' | 'deployment_id' | 'context_id' | 'title' | 'memberships_url' | 'lineitems_url'
>;
export type Link = Selectable<LtiResourceLinksTable>;
export const shownKinds = ['lesson', 'laboratory', 'exam_session'] as const;
/** What a link shows. */
export type Shown = { kind: (typeof shownKinds)[number]; id: number };
export type Item = Shown & { title: string; group_title: string | null };

const maxItems = 2000;
const maxClasses = 500;

/** The courses of platforms, and the links in them. */
export class CourseStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The course of a launch, as the launch describes it. */
  async course(claims: CourseClaims): Promise<Course> {
    return await this.#db
      .insertInto('lti_contexts')
      .values(claims)
      .onConflict((conflict) =>
        conflict.constraint('lti_contexts_course').doUpdateSet({
          title: claims.title,
          memberships_url: sql`coalesce(excluded.memberships_url, lti_contexts.memberships_url)`,
          lineitems_url: sql`coalesce(excluded.lineitems_url, lti_contexts.lineitems_url)`,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /**
   * @param shown what the link says that it shows, which counts if the class of the course has it: its results go to the platform. Undefined:
   * it says nothing, and shows what it has shown
   */
  async link(
    { id: course_id, class_id }: Pick<Course, 'id' | 'class_id'>,
    resource_link_id: string,
    lineitem_url: string | null,
    shown?: Shown,
  ): Promise<Link> {
    const isOfClass = shown && class_id !== null && (await this.items(class_id, shown)).length > 0;
    const target = isOfClass ? columnsOf(shown) : {};
    return await this.#db
      .insertInto('lti_resource_links')
      .values({ course_id, resource_link_id, lineitem_url, ...target })
      .onConflict((conflict) =>
        conflict.constraint('lti_resource_links_link').doUpdateSet({
          lineitem_url: sql`coalesce(excluded.lineitem_url, lti_resource_links.lineitem_url)`,
          ...target,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async byId(id: number): Promise<Course | undefined> {
    return await this.#db.selectFrom('lti_contexts').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async show(linkId: number, shown: Shown): Promise<void> {
    await this.#db.updateTable('lti_resource_links').set(columnsOf(shown)).where('id', '=', linkId).execute();
  }

  /** The exam and the class of an exam session. */
  async session(id: number): Promise<{ exam_id: number; class_id: number | null } | undefined> {
    const rows = this.#db.selectFrom('exam_sessions').select(['exam_id', 'class_id']).where('id', '=', id);
    return await rows.executeTakeFirst();
  }

  /** Lets a class follow a course. @throws NotFoundError, ForbiddenError unless the caller may change it, and the class before it; ConflictError */
  async choose(caller: Caller, courseId: number, classId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const courses = trx.selectFrom('lti_contexts').select('class_id').where('id', '=', courseId);
      const before = await courses.forUpdate().executeTakeFirst();
      if (before?.class_id) await changeableClass(trx, caller, before.class_id, 'share');
      const { name } = await openClass(trx, caller, classId);
      // Who is in the class before it stays there.
      await trx.deleteFrom('lti_members').where('course_id', '=', courseId).execute();
      const chosen = { class_id: classId, synchronize_at: sql<Date>`now()` };
      await trx.updateTable('lti_contexts').set(chosen).where('id', '=', courseId).execute();
      const act = { actorId: caller.id, type: 'class_lti_course', entityType: 'class', entityId: classId };
      await logActivity(trx, { ...act, title: name, details: { old: before?.class_id ?? null, new: courseId } });
    });
  }

  /** The classes that may follow a course of the caller, by name. */
  async classes(caller: Caller): Promise<{ id: number; name: string }[]> {
    const own = sql<boolean>`exists (select from class_members as own where own.class_id = classes.id
      and own.user_id = ${caller.id} and own.role = 'instructor')`;
    return await this.#db
      .selectFrom('classes')
      .select(['id', 'name'])
      .where('is_archived', '=', false)
      .where(caller.role === 'admin' ? sql<boolean>`true` : own)
      .orderBy('name')
      .orderBy('id')
      .limit(maxClasses)
      .execute();
  }

  /** What links to a class can show. @param only this */
  async items(classId: number, only?: Shown): Promise<Item[]> {
    const { rows } = await sql<Item>`with own as (
        select courses.id, courses.name as title, courses.order_index from class_courses
        join courses on courses.id = class_courses.course_id where class_id = ${classId} and courses.is_active
      ), items as (
        select 0 as place, 'lesson' as kind, themes.id, themes.title, own.title || ': ' || sections.name as group_title,
          own.order_index as first, sections.order_index as second, themes.order_index as third
        from own join sections on sections.course_id = own.id join themes on themes.section_id = sections.id
        union all select 1, 'laboratory', a.id, a.title, own.title, own.order_index, 0, a.id
        from assessments as a left join sections on sections.id = a.section_id
        join own on own.id = coalesce(a.course_id, sections.course_id) where a.kind = 'laboratory' and a.is_active
        union all select 2, 'exam_session', id, title, null, 0, 0, id from exam_sessions where class_id = ${classId}
      ) select kind, id, title, group_title from items
      where ${only ? sql`kind = ${only.kind} and id = ${only.id}` : sql`true`}
      order by place, first, group_title, second, third, id limit ${maxItems}`.execute(this.#db);
    return rows;
  }
}

/** The columns of a link that shows it. */
export const columnsOf = ({ kind, id }: Shown) => ({
  theme_id: kind === 'lesson' ? id : null,
  laboratory_id: kind === 'laboratory' ? id : null,
  exam_session_id: kind === 'exam_session' ? id : null,
});
