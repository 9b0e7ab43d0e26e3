import { type Selectable, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { membersOf } from '../../database/exam-session-rules.ts';
import { seesAttempt } from '../../database/lists/student-scope.ts';
import { isLiving } from '../../database/processes/presence.ts';
import type { AttemptEvidenceTable, EvidenceNote, TaskAnswersTable } from '../../database/tables.ts';
import { found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';

export type EvidenceRow = Selectable<AttemptEvidenceTable>;
export type KeptEvidence = EvidenceRow & { key: string; kept_at: Date };
/** `elsewhere`: another process collects it. Undefined: there is nothing to keep. */
export type Claim = Claimed | 'elsewhere' | undefined;
/** `formerKey`: of what an earlier end of the attempt has left. */
export type Claimed = { attemptId: number; formerKey: string | null };
/** What is known of an attempt when it ends. Each part becomes a file. */
export type AttemptFacts = {
  attempt: Record<string, unknown> & { id: number };
  results: unknown[];
  events: unknown[];
  recordings: { key: string; started_at: Date }[];
  answers: Omit<Selectable<TaskAnswersTable>, 'attempt_id'>[];
};
type Kept = { key: string; bytes: number; layer_bytes: number; path_bytes: number; notes: EvidenceNote[] };

const maxEvents = 5000;
/** Claimed at once by a process. */
const batch = 20;

/** Records of the evidence of attempts. */
export class EvidenceStore {
  readonly #db: Database;
  readonly #processId: number;

  constructor(db: Database, processId: number) {
    this.#db = db;
    this.#processId = processId;
  }

  /**
   * This process collects the evidence of a given-up container whose attempt has ended, once for each container. Evidence of an earlier one
   * has priority until the attempt is reopened: a container that was being restored for that has nothing of its own.
   */
  async claim(containerId: number): Promise<Claim> {
    const { rows } = await sql<{
      attempt_id: number;
      uid: string;
      key: string | null;
      is_done: boolean;
      is_taken: boolean;
    }>`
      select container.attempt_id, container.uid, evidence.key,
        (evidence.container_uid <> container.uid or evidence.container_uid = container.uid and evidence.status <> 'keeping') is true as is_done,
        (evidence.container_uid = container.uid and evidence.status = 'keeping' and evidence.process_id <> ${this.#processId}
          and ${isLiving(sql.ref('evidence.process_id'))}) is true as is_taken
      from containers as container join attempts on attempts.id = container.attempt_id
      left join attempt_evidence as evidence on evidence.attempt_id = attempts.id
      where container.id = ${containerId} and container.status = 'removing' and container.kind in ('exam', 'laboratory')
        and attempts.user_id > 0 and ${statusSql.isOver('attempts')}`.execute(this.#db);
    const [row] = rows;
    if (!row || row.is_done) return undefined;
    if (row.is_taken) return 'elsewhere';
    await sql`insert into attempt_evidence (attempt_id, container_uid, status, process_id)
      select id, ${row.uid}, 'keeping', ${this.#processId} from attempts where id = ${row.attempt_id}
      on conflict (attempt_id) do update set container_uid = excluded.container_uid, status = 'keeping', process_id = excluded.process_id`.execute(
      this.#db,
    );
    return { attemptId: row.attempt_id, formerKey: row.key };
  }

  /** This process collects the evidence of the next attempts that had no machine. @param after the last id of those before */
  async claimWithoutMachine(after: number): Promise<Claimed[]> {
    const { rows } = await sql<{ attempt_id: number; key: string | null }>`
      update attempt_evidence set process_id = ${this.#processId} where attempt_id in (
        select evidence.attempt_id from attempt_evidence as evidence join attempts on attempts.id = evidence.attempt_id
        where evidence.status = 'keeping' and evidence.container_uid is null and evidence.attempt_id > ${after}
          and not attempts.needs_machine and ${statusSql.isOver('attempts')}
          and (evidence.process_id is null or evidence.process_id = ${this.#processId} or not ${isLiving(sql.ref('evidence.process_id'))})
        order by evidence.attempt_id limit ${batch})
      returning attempt_id, key`.execute(this.#db);
    return rows.map(({ attempt_id, key }) => ({ attemptId: attempt_id, formerKey: key }));
  }

  /** Nothing is kept, so nothing has to wait. @returns the keys of earlier files */
  async dropWaiting(): Promise<string[]> {
    const dropped = this.#db
      .deleteFrom('attempt_evidence')
      .where('status', '=', 'keeping')
      .where('container_uid', 'is', null);
    return (await dropped.returning('key').execute()).map(({ key }) => key ?? '');
  }

  /** Another try comes later. */
  async release(attemptId: number): Promise<void> {
    await this.#db
      .updateTable('attempt_evidence')
      .set({ process_id: null })
      .where('attempt_id', '=', attemptId)
      .where('process_id', '=', this.#processId)
      .execute();
  }

  /** @returns false if the attempt was deleted meanwhile, or another process has taken it over */
  async finish(attemptId: number, kept: Kept | { key: null; notes: EvidenceNote[] }): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('attempt_evidence')
      .set(
        kept.key === null
          ? { status: 'failed', key: null, kept_at: null, bytes: 0, notes: kept.notes }
          : { status: 'kept', kept_at: sql<Date>`now()`, ...kept },
      )
      .where('attempt_id', '=', attemptId)
      .where('process_id', '=', this.#processId)
      .where('status', '=', 'keeping')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** What the evidence says besides the files of the container. @returns undefined once the attempt is deleted */
  async facts(attemptId: number): Promise<AttemptFacts | undefined> {
    const attempts = await sql<{ attempt: AttemptFacts['attempt']; user_id: number; created_at: Date }>`
      select json_build_object('id', attempts.id, 'kind', attempts.kind, 'assessment_id', attempts.assessment_id, 'title', attempts.title,
        'user_id', attempts.user_id, 'username', users.username, 'full_name', users.full_name, 'session_id', attempts.session_id,
        'status', attempts.status, 'created_at', attempts.created_at, 'started_at', attempts.started_at, 'submitted_at', attempts.submitted_at,
        'expires_at', attempts.expires_at, 'break_seconds', attempts.break_seconds, 'extra_seconds', attempts.extra_seconds,
        'score', attempts.score, 'max_score', attempts.max_score, 'passing_score', attempts.passing_score, 'passed', attempts.passed,
        'integrity', attempts.integrity, 'image', revision.container_image, 'image_id', attempts.image_id,
        'revision', revision.revision,
        'revision_digest', encode(sha256(convert_to(revision.content::text, 'UTF8')), 'hex'), 'revision_content', revision.content, 'variant', attempts.variant) as attempt,
        attempts.user_id, attempts.created_at
      from attempts join users on users.id = attempts.user_id left join assessment_revisions as revision on revision.id = revision_id
      where attempts.id = ${attemptId}`.execute(this.#db);
    const [row] = attempts.rows;
    if (!row) return undefined;
    const results = await this.#db
      .selectFrom('task_results')
      .selectAll()
      .where('attempt_id', '=', attemptId)
      .orderBy('order_index')
      .orderBy('task_id')
      .execute();
    const events = await this.#db
      .selectFrom('activity_log')
      .select(['created_at', 'actor_id', 'type', 'title', 'entity_type', 'entity_id', 'details'])
      .where('user_id', '=', row.user_id)
      .where('created_at', '>=', row.created_at)
      .orderBy('id')
      .limit(maxEvents)
      .execute();
    const recordings = await this.#db
      .selectFrom('recordings')
      .select(['key', 'started_at'])
      .where('attempt_id', '=', attemptId)
      .orderBy('id')
      .execute();
    const answers = await this.#db
      .selectFrom('task_answers')
      .select(['task_id', 'choice_ids', 'text', 'file_name', 'file_bytes', 'saved_at'])
      .where('attempt_id', '=', attemptId)
      .orderBy('task_id')
      .execute();
    return { attempt: row.attempt, results, events, recordings, answers };
  }

  /** The file that a student answered with, part after part. */
  async *answerFile(attemptId: number, taskId: number): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const parts = this.#db.selectFrom('task_answer_parts').select('content').where('attempt_id', '=', attemptId);
      const row = await parts.where('task_id', '=', taskId).where('part', '=', part).executeTakeFirst();
      if (!row) return;
      yield row.content;
    }
  }

  /** @returns undefined if none is kept @throws NotFoundError unless the caller sees the attempt as staff */
  async ofAttempt(caller: Caller, attemptId: number): Promise<EvidenceRow | undefined> {
    const { rows } = await sql<EvidenceRow & { id: number }>`
      select attempts.id, evidence.* from attempts left join attempt_evidence as evidence on evidence.attempt_id = attempts.id
      where attempts.id = ${attemptId} and ${statusSql.isListed('attempts')} and ${seesAttempt(caller)}`.execute(
      this.#db,
    );
    const { id: _id, ...row } = found(rows[0], 'Attempt');
    return row.status === null ? undefined : row;
  }

  /** @returns undefined if none is kept, for a caller who was checked */
  async kept(attemptId: number): Promise<KeptEvidence | undefined> {
    const row = await this.#db
      .selectFrom('attempt_evidence')
      .selectAll()
      .where('attempt_id', '=', attemptId)
      .where('status', '=', 'kept')
      .executeTakeFirst();
    return row as KeptEvidence | undefined;
  }

  /** Whether the evidence of an attempt is still to be kept. */
  async isPending(attemptId: number): Promise<boolean> {
    const { rows } = await sql`
      select from containers where attempt_id = ${attemptId}
      union all select from attempt_evidence where attempt_id = ${attemptId} and status = 'keeping'`.execute(this.#db);
    return rows.length > 0;
  }

  /** Deletes the records of evidence that is older. @returns the keys of its files */
  async removeOlderThan(days: number): Promise<string[]> {
    const removed = await this.#db
      .deleteFrom('attempt_evidence')
      .where('kept_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
      .where('status', '<>', 'keeping')
      .returning('key')
      .execute();
    return removed.map(({ key }) => key ?? '');
  }

  /**
   * Deletes the records of the oldest evidence until all of it has at most so many bytes. Once a day it notifies administrators, who can
   * give it more, and the instructors of each exam session that it was of.
   * @returns the keys of its files
   */
  async fit(bytes: number): Promise<string[]> {
    return await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ key: string; session_id: number | null }>`
        with newer as (
          select attempt_id, sum(bytes::bigint) over (order by kept_at desc, attempt_id desc) as total
          from attempt_evidence where kept_at is not null)
        delete from attempt_evidence as evidence using newer join attempts on attempts.id = newer.attempt_id
        where evidence.attempt_id = newer.attempt_id and newer.total > ${bytes} and evidence.status <> 'keeping'
        returning evidence.key, attempts.session_id`.execute(trx);
      const sessions = [...new Set(rows.flatMap(({ session_id }) => session_id ?? []))];
      if (rows.length > 0)
        await sql`insert into notifications (user_id, key, kind, session_id)
          select id, 'evidence', 'evidence', null from users where id > 0 and role = 'admin' and is_active
          union all
          select member.user_id, 'evidence:' || s.id, 'evidence', s.id
          from exam_sessions as s join ${membersOf('s')} as member on member.role = 'instructor' where s.id = any(${sessions}::int[])
          on conflict (user_id, key) do update set created_at = now(), read_at = null
            where notifications.created_at < now() - interval '1 day'`.execute(trx);
      return rows.map(({ key }) => key);
    });
  }

  /** Those keys that no record has. */
  async unused(keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const used = await this.#db.selectFrom('attempt_evidence').select('key').where('key', 'in', keys).execute();
    const known = new Set(used.map(({ key }) => key));
    return keys.filter((key) => !known.has(key));
  }
}
