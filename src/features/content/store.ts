import { sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { type CatalogueLimits, checkLimits } from '../../database/catalogue/catalogue-limits.ts';
import { checkAllOpenings } from '../../database/catalogue/openings.ts';
import { imageRefusals } from '../../database/catalogue/refusals.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { lock } from '../../database/locks.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import { ConflictError, InvalidError } from '../../errors.ts';
import { readAll } from './export-store.ts';
import { ContentWriter } from './import-store.ts';
import { openingNames } from './opening-store.ts';
import type { Content, ContentChange, KnownContent } from './schema.ts';

export type ImportOptions = {
  prune: boolean;
  dryRun: boolean;
  actorId?: number;
  /** The course that alone is written, as it was read: what it has must not have changed hands since. */
  held?: HeldCourse;
};

/** A course, and what an import into it has to know. */
export type HeldCourse = {
  id: number;
  slug: string;
  is_active: boolean;
  /** Of the repository of its lessons. */
  address: { repository?: string; branch?: string };
  templates: readonly { id: number; slug: string }[];
  /** The ids of the templates of the course, its sections and its themes. */
  usedTemplates: readonly number[];
  /** All of the service that have a slug, and whether they belong to the course. */
  assessments: readonly {
    kind: AttemptKind;
    slug: string;
    isOwn: boolean;
    is_active: boolean;
    container_image: string;
    user: string;
  }[];
};

/** Rolls the transaction back after everything was tried. */
class DryRun extends Error {}

/** Writes content. Siblings are in the order of their file, and files in the order of their names. */
export class ContentStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits;

  constructor(db: Database, limits: CatalogueLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** Whether there is no course, exam, laboratory or sandbox template, active or not. */
  async isEmpty(): Promise<boolean> {
    return await isEmpty(this.#db);
  }

  /** Everything in the form of the files, in its order. @param all includes the exams and laboratories that are hidden from students */
  async read(all: boolean): Promise<Content> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => readAll(trx, all, this.#db));
  }

  async held(courseId: number): Promise<HeldCourse | undefined> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => held(trx, courseId));
  }

  async known(): Promise<KnownContent> {
    const parts = await this.#db.transaction().execute(openingNames);
    const courses = await this.#db.selectFrom('courses').select('slug').execute();
    const templates = await this.#db.selectFrom('sandbox_templates').select('slug').execute();
    const sections = await this.#db
      .selectFrom('sections')
      .innerJoin('courses', 'courses.id', 'sections.course_id')
      .leftJoin('assessments', (join) =>
        join.onRef('assessments.section_id', '=', 'sections.id').on('assessments.is_active', '=', true),
      )
      .select(['courses.slug as course', 'sections.slug as section', 'assessments.slug as laboratory'])
      .execute();
    return {
      courses: courses.map(({ slug }) => slug),
      templates: templates.map(({ slug }) => slug),
      parts,
      sections: new Map(sections.map(({ course, section, laboratory }) => [`${course}/${section}`, laboratory])),
    };
  }

  /**
   * Writes all of it, or nothing where the database is not empty. Of several processes that try concurrently, one writes.
   * @returns whether it was written
   */
  async saveIfEmpty(content: Content): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      await lock(trx, 'content');
      if (!(await isEmpty(trx))) return false;
      await new ContentWriter(trx, { prune: false, limits: this.#limits }).write(content);
      await checkLimits(trx, this.#limits);
      return true;
    });
  }

  /**
   * Updates the existing rows to match the content, completely or not at all.
   * @throws ConflictError when a rule of the database forbids it, or a maximum would be exceeded
   */
  async import(content: Content, options: ImportOptions): Promise<ContentChange[]> {
    const { prune, dryRun, actorId = null } = options;
    let changes: ContentChange[] = [];
    try {
      await this.#db.transaction().execute(async (trx) => {
        await lock(trx, 'content');
        const writer = new ContentWriter(trx, { prune, limits: this.#limits });
        await writer.lock(content);
        if (options.held) await checkHeld(trx, options.held);
        await writer.write(content);
        await checkLimits(trx, this.#limits);
        await checkAllOpenings(trx);
        changes = writer.changes;
        await log(trx, changes, actorId);
        if (dryRun) throw new DryRun();
      });
    } catch (error) {
      const constraint = violatedConstraint(error);
      const refusal = imageRefusals[constraint ?? ''];
      if (refusal) throw refusal();
      if (constraint === 'assessments_section')
        throw new ConflictError('section_has_laboratory', 'A section has another laboratory already');
      if (constraint !== undefined)
        throw new ConflictError('conflict', `The database rejected the content (${constraint})`);
      if (error instanceof InvalidError)
        throw new ConflictError('conflict', 'Parts of a course would wait for each other in a circle');
      if (!(error instanceof DryRun)) throw error;
    }
    return changes;
  }
}

/** One entry for an import that changed something. */
async function log(trx: Transaction<Tables>, changes: readonly ContentChange[], actorId: number | null): Promise<void> {
  const written = changes.filter(({ action }) => action !== 'unchanged' && action !== 'left');
  if (written.length === 0) return;
  const names = Map.groupBy(written, ({ action }) => action);
  const details = Object.fromEntries(
    [...names].map(([action, some]) => [action, some.map(({ kind, name }) => `${kind} ${name}`).join(', ')]),
  );
  const act = { actorId, type: 'admin_content_import', title: 'Content', entityType: 'content', entityId: null };
  await logActivity(trx, { ...act, details });
}

async function held(trx: Transaction<Tables>, courseId: number): Promise<HeldCourse | undefined> {
  const course = await trx
    .selectFrom('courses')
    .leftJoin('lesson_repositories', 'lesson_repositories.id', 'courses.repository_id')
    .select(['courses.id', 'slug', 'is_active', 'url', 'branch'])
    .where('courses.id', '=', courseId)
    .executeTakeFirst();
  if (!course) return undefined;
  const { url, branch, ...fields } = course;
  const { rows: assessments } = await sql<HeldCourse['assessments'][number]>`
    select a.kind, a.slug, a.is_active, a.container_image, a."user",
      coalesce(coalesce(a.course_id, sections.course_id) = ${courseId}, false) as "isOwn"
    from assessments as a left join sections on sections.id = a.section_id where a.slug is not null order by a.kind, a.id`.execute(
    trx,
  );
  const { rows: used } = await sql<{ id: number }>`
    select template_id as id from courses where id = ${courseId} and template_id is not null
    union select template_id from sections where course_id = ${courseId} and template_id is not null
    union select t.template_id from themes as t join sections on sections.id = t.section_id
      where sections.course_id = ${courseId} and t.template_id is not null
    order by id`.execute(trx);
  return {
    ...fields,
    address: { ...(url === null ? {} : { repository: url }), ...(branch === null ? {} : { branch }) },
    templates: await trx.selectFrom('sandbox_templates').select(['id', 'slug']).orderBy('id').execute(),
    usedTemplates: used.map(({ id }) => id),
    assessments,
  };
}

/** Call it when nobody else can write. @throws ConflictError where names of the course or of others have changed since it was read */
async function checkHeld(trx: Transaction<Tables>, before: HeldCourse): Promise<void> {
  const now = await held(trx, before.id);
  if (JSON.stringify(now) !== JSON.stringify(before))
    throw new ConflictError(
      'changed_meanwhile',
      'The catalogue was changed while the files were read: import them again',
    );
}

async function isEmpty(db: Pick<Database, 'selectFrom'>): Promise<boolean> {
  const row = await db
    .selectFrom('courses')
    .select('id')
    .unionAll(db.selectFrom('assessments').select('id'))
    .unionAll(db.selectFrom('sandbox_templates').select('id'))
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}
