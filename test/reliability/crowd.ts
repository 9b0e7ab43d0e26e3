import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { isFull } from '../rounds.ts';
import type { TestServer } from '../server.ts';
import { until } from '../until.ts';

/** A full run has the machine for itself. Elsewhere everything can stand still for a while. */
const bound = (ms: number): number => (isFull ? ms : 60_000);

type Answered = { status: number; begin: number; end: number };

/** A user who reads, and who completes lessons. */
export type Student = { token: string; themes: readonly number[] };

/** Creates a user, and a course with lessons for that user to complete. */
export async function newStudent(server: TestServer, lessons = 1000): Promise<Student> {
  const { token } = await server.user();
  const { db } = server.application;
  const slug = `crowd-${Math.random().toString(36).slice(2)}`;
  const course = await db
    .insertInto('courses')
    .values({ name: 'Crowd', slug })
    .returning('id')
    .executeTakeFirstOrThrow();
  const section = await db
    .insertInto('sections')
    .values({ course_id: course.id, name: 'One', slug })
    .returning('id')
    .executeTakeFirstOrThrow();
  const values = Array.from({ length: lessons }, (_, index) => ({
    ...{ section_id: section.id, title: `Lesson ${index}`, slug: `lesson-${index}`, markdown_file_path: 'x.md' },
  }));
  const themes = await db.insertInto('themes').values(values).returning('id').execute();
  return { token, themes: themes.map(({ id }) => id) };
}

/** Clients that send one request after the other. Most register users, some complete lessons, some read. */
export class Crowd implements AsyncDisposable {
  readonly #server: TestServer;
  readonly #answers: Answered[] = [];
  readonly #acknowledged: number[] = [];
  readonly #completed: number[] = [];
  readonly #open: number[];
  readonly #clients: Promise<void>[];
  #count = 0;
  #isOver = false;

  /** @param student who reads and completes lessons. Without it there are only registrations */
  constructor(server: TestServer, student?: Student) {
    this.#server = server;
    this.#open = [...(student?.themes ?? [])];
    const read = async () => void (await this.#measured(() => server.get('/api/dashboard/stats', student?.token)));
    const complete = async () => await this.#complete(student?.token);
    const others = student ? [read, read, complete, complete] : [];
    this.#clients = Array.from({ length: 8 }, (_, index) => this.#repeat(others[index] ?? this.#register));
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  get completed(): number {
    return this.#completed.length;
  }

  get statuses(): number[] {
    return [...new Set(this.#answers.map(({ status }) => status))];
  }

  /** Waits for answers with the status to requests that are sent from now on. */
  async sees(status: number, count = 1): Promise<void> {
    const now = performance.now();
    const isMeant = (answer: Answered): boolean => answer.status === status && answer.begin > now;
    await until(() => this.#answers.filter(isMeant).length >= count, `${count} times ${status}`);
  }

  /** Waits until writes succeed again. @param patience milliseconds in a full run */
  async goesOn(patience: number): Promise<void> {
    const written = () => this.acknowledged + this.completed;
    const [before, completedBefore, begin] = [written(), this.completed, performance.now()];
    const hasCompleted = () => this.#open.length === 0 || this.completed > completedBefore;
    await until(() => written() > before + 20 && hasCompleted(), 'registrations and completed lessons');
    const took = performance.now() - begin;
    const usual = this.#usual();
    assert.ok(
      took < bound(patience) + 20 * usual,
      `writes went on after ${took} ms; a request takes ${usual} ms usually`,
    );
  }

  /** The median time of a request in milliseconds. Slower requests are slow because of the fault. */
  #usual(): number {
    const times = this.#answers.map(({ begin, end }) => end - begin).sort((a, b) => a - b);
    return times[Math.floor(times.length / 2)] ?? 0;
  }

  /**
   * Checks the answers: only 200 and 503, within 5 s in a full run, and every acknowledged user and lesson exists.
   * @param away the time without a database. Requests that were sent and answered in it got 503
   */
  async end(away?: { from: number; to: number }): Promise<{ slowest: number; refused: number }> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    const times = this.#answers.map(({ begin, end }) => end - begin).sort((a, b) => a - b);
    const slowest = times.at(-1) ?? 0;
    // On a busy machine everything takes longer, as the median shows.
    const usual = this.#usual();
    assert.ok(slowest < bound(5000) + 20 * usual, `${slowest} ms, and usually ${usual} ms`);
    assert.deepEqual(
      this.statuses.filter((status) => status !== 200 && status !== 503),
      [],
    );
    const meanwhile = this.#answers.filter(({ begin, end }) => away && begin > away.from && end < away.to);
    assert.ok(!away || meanwhile.length > 10, `${meanwhile.length} requests`);
    assert.deepEqual([...new Set(meanwhile.map(({ status }) => status))], away ? [503] : []);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from users where id = any(${this.#acknowledged})`.execute(
      this.#server.application.db,
    );
    assert.equal(rows[0]?.count, this.acknowledged);
    await this.#checkCompleted();
    return { slowest, refused: meanwhile.length };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#clients);
  }

  /** A completion has exactly one entry in the activity log. One that was not acknowledged may be there, with its entry. */
  async #checkCompleted(): Promise<void> {
    const { rows } = await sql<{ theme_id: number; entries: number }>`
      select theme_id, (select count(*)::int from activity_log
        where type = 'lesson_complete' and entity_id = theme_id and activity_log.user_id = theme_progress.user_id) as entries
      from theme_progress where completed`.execute(this.#server.application.db);
    assert.deepEqual([...new Set(rows.map(({ entries }) => entries))], rows.length > 0 ? [1] : []);
    const found = new Set(rows.map(({ theme_id }) => theme_id));
    assert.deepEqual(
      this.#completed.filter((id) => !found.has(id)),
      [],
    );
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await work();
      await delay(20);
    }
  }

  readonly #register = async (): Promise<void> => {
    this.#count += 1;
    const username = `crowd${this.#count}-${Math.random().toString(36).slice(2)}`;
    const account = { username, email: `${username}@example.com`, password: 'a password' };
    const { status, body } = await this.#measured(() => this.#server.post('/api/auth/register', undefined, account));
    if (status === 200) this.#acknowledged.push(body.id);
  };

  async #complete(token: string | undefined): Promise<void> {
    const [id] = this.#open.splice(0, 1);
    if (id === undefined) return;
    const { status } = await this.#measured(() => this.#server.post(`/api/lessons/themes/${id}/complete`, token));
    if (status === 200) this.#completed.push(id);
    else this.#open.push(id);
  }

  async #measured<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
    const begin = performance.now();
    const answer = await send();
    this.#answers.push({ status: answer.status, begin, end: performance.now() });
    return answer;
  }
}
