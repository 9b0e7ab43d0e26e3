import { sql, type Transaction } from 'kysely';
import { ConflictError } from '../../errors.ts';
import { isCreator } from '../exam-session-rules.ts';
import type { DeletedKind, Tables } from '../tables.ts';
import { deletableTables } from './kinds.ts';

/** The maximum number of each kind in one class, or of one user. */
export type SiblingLimits = Record<keyof typeof limited, number>;

const limited = {
  class_join_code: { column: 'class_id', code: 'too_many_join_codes', detail: 'The class has too many join codes' },
  class_grade_column: {
    column: 'class_id',
    code: 'too_many_grade_columns',
    detail: 'The grade book has too many columns',
  },
  exam_session: { column: 'class_id', code: 'too_many_exam_sessions', detail: 'The class has too many exam sessions' },
  announcement: { column: 'class_id', code: 'too_many_announcements', detail: 'There are too many announcements' },
  note: { column: 'user_id', code: 'too_many_notes', detail: 'You have too many notes' },
} as const;

const isLimited = (kind: DeletedKind): kind is keyof typeof limited => kind in limited;

/** Call it after a row was restored. @throws ConflictError where there are more than the maximum */
export async function checkSiblings(
  trx: Transaction<Tables>,
  { kind, entity_id }: { kind: DeletedKind; entity_id: number },
  limits: SiblingLimits,
): Promise<void> {
  if (!isLimited(kind)) return;
  const { column, code, detail } = limited[kind];
  const table = sql.table(deletableTables[kind]);
  const parent = sql.ref(column);
  // Those without a class have another limit.
  const isSibling = kind === 'exam_session' ? sql`class_id is not null` : sql`true`;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${table}
    where ${parent} is not distinct from (select ${parent} from ${table} where id = ${entity_id}) and ${isSibling}`.execute(
    trx,
  );
  if ((rows[0]?.count ?? 0) > limits[kind]) throw new ConflictError(code, detail);
  if (kind === 'exam_session') await checkSupervisors(trx, entity_id, limits[kind]);
}

/**
 * The sessions without a class are limited for each supervisor of a restored one: those that the supervisor has created, and those of others.
 * @throws ConflictError
 */
async function checkSupervisors(trx: Transaction<Tables>, id: number, max: number): Promise<void> {
  const { rows } = await sql`
    select from exam_sessions as restored
    join exam_session_users as own on own.session_id = restored.id and own.role = 'instructor'
    join exam_session_users as theirs on theirs.user_id = own.user_id and theirs.role = 'instructor'
    join exam_sessions as s on s.id = theirs.session_id
    where restored.id = ${id} and ${sql.raw(isCreator('theirs', 's'))} = ${sql.raw(isCreator('own', 'restored'))}
    group by own.user_id having count(*) > ${max}`.execute(trx);
  if (rows.length > 0) throw new ConflictError('too_many_exam_sessions', 'A supervisor has too many exam sessions');
}
