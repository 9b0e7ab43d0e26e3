import { type Kysely, sql } from 'kysely';

/** Exams and laboratories whose students work as root. A container keeps the account that it was created with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const accounts = `text not null default 'student' check (value in ('student', 'root'))`;
const statements = [
  ...['exams', 'laboratories'].map(
    (table) => `alter table ${table} add column "user" ${accounts.replace('value', '"user"')}`,
  ),
  `alter table containers add column account ${accounts.replace('value', 'account')}`,
];
