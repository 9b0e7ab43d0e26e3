import type { Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { type CatalogueLimits, checkLimits } from '../../database/catalogue/catalogue-limits.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { lock } from '../../database/locks.ts';
import type { Tables } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import { readAll } from './export-store.ts';
import { ContentWriter } from './import-store.ts';
import type { Content, ContentChange, KnownContent } from './schema.ts';

export type ImportOptions = { prune: boolean; dryRun: boolean };

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

  async known(): Promise<KnownContent> {
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
  async import(content: Content, { prune, dryRun }: ImportOptions): Promise<ContentChange[]> {
    let changes: ContentChange[] = [];
    try {
      await this.#db.transaction().execute(async (trx) => {
        await lock(trx, 'content');
        const writer = new ContentWriter(trx, { prune, limits: this.#limits });
        await writer.write(content);
        await checkLimits(trx, this.#limits);
        changes = writer.changes;
        await log(trx, changes);
        if (dryRun) throw new DryRun();
      });
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'assessments_section')
        throw new ConflictError('section_has_laboratory', 'A section has another laboratory already');
      if (constraint !== undefined)
        throw new ConflictError('conflict', `The database rejected the content (${constraint})`);
      if (!(error instanceof DryRun)) throw error;
    }
    return changes;
  }
}

/** One entry for an import that changed something. */
async function log(trx: Transaction<Tables>, changes: readonly ContentChange[]): Promise<void> {
  const written = changes.filter(({ action }) => action !== 'unchanged' && action !== 'left');
  if (written.length === 0) return;
  const names = Map.groupBy(written, ({ action }) => action);
  const details = Object.fromEntries(
    [...names].map(([action, some]) => [action, some.map(({ kind, name }) => `${kind} ${name}`).join(', ')]),
  );
  const act = { actorId: null, type: 'admin_content_import', title: 'Content', entityType: 'content', entityId: null };
  await logActivity(trx, { ...act, details });
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
