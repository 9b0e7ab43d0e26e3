import { type Kysely, sql } from 'kysely';

/**
 * The output of a check is what the script has printed, and the remark says the rest. Results of the past have notes in brackets within their
 * output, which become remarks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table task_results add column remark text, add column remark_codes jsonb`.execute(db);
  const cut = /^\[(the output was longer; these are its last \d+ KiB)\](\n|$)/.source;
  const reason = /(?:^|\n)\[(no verdict: [^\n]*|exit status \d+|not graded: the task was not open yet)\]$/.source;
  await sql`update task_results set remark = nullif(concat_ws('; ', substring(output from ${cut}::text), case when not passed then
        substring(output from ${reason}::text) end), ''),
      output = regexp_replace(case when passed then output else regexp_replace(output, ${reason}, '') end, ${cut}, '')
    where output ~ ${cut} or (not passed and output ~ ${reason})`.execute(db);
}
