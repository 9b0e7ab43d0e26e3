import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openEngine } from '../../src/compose/engine.ts';
import { createObjectStore } from '../../src/compose/storage.ts';
import { loadConfig } from '../../src/config.ts';
import { connectDatabase, type Database } from '../../src/database/connection/connect.ts';
import type { ContainerEngine, EngineContainer } from '../../src/ports/container-engine.ts';
import { clusterVariables, isOnCluster, removeFromCluster } from '../cluster.ts';
import { createTestDatabase } from '../database.ts';
import { testEngine } from '../server.ts';
import { argumentsOf, type TestSettings } from '../settings.ts';
import { ServiceUnderTest, type Stop } from './service-under-test.ts';

export const image = 'platform-exam-linux-basics';
export const taskPoints = [1, 2];

/** Method, path and headers. */
export type Request = [string, string, Record<string, string>?];
export type Account = { id: number; token: string };

/** A database and an engine that remain while services are killed. */
export class CrashWorld implements AsyncDisposable {
  readonly db: Database;
  readonly engine: ContainerEngine;
  readonly settings: TestSettings;
  readonly #cleanup: AsyncDisposableStack;
  exam = 0;
  laboratory = 0;
  #accounts = 0;

  private constructor(parts: {
    db: Database;
    engine: ContainerEngine;
    settings: TestSettings;
    cleanup: AsyncDisposableStack;
  }) {
    this.db = parts.db;
    this.engine = parts.engine;
    this.settings = parts.settings;
    this.#cleanup = parts.cleanup;
  }

  static async create(settings: TestSettings = {}): Promise<CrashWorld> {
    await using cleanup = new AsyncDisposableStack();
    const database = cleanup.use(await createTestDatabase());
    const limits = { maxConnections: 4, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
    const { db } = connectDatabase({ address: database.address, ...limits });
    cleanup.defer(() => db.destroy());
    const { id: installation } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
    const prefix = `t${process.pid}${Date.now().toString(36)}-`;
    const url = database.address.connectionString;
    // The processes share it, as those of an installation do.
    const dataDir = await mkdtemp(join(tmpdir(), 'platform-test-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const all: TestSettings = {
      ...(isOnCluster ? clusterVariables(dataDir) : {}),
      DATABASE_URL: url,
      CONTAINER_NAME_PREFIX: prefix,
      WARM_CONTAINERS: '0',
      // Each stopped start keeps its turn, because it remains in a call of the engine.
      CONTAINER_STARTS: '20',
      engineTimeoutSeconds: 600,
      ...settings,
    };
    const config = loadConfig(...argumentsOf(all));
    if (isOnCluster) cleanup.defer(() => removeFromCluster(installation, config.kubernetes.namespace));
    const engine = cleanup.use(await openEngine(config, await testEngine(), installation, createObjectStore(config)));
    const world = new CrashWorld({ db, engine, settings: all, cleanup: cleanup.move() });
    world.#cleanup.defer(() => world.#removeContainers());
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await db.insertInto('sandbox_templates').values(template).execute();
    return world;
  }

  async start(
    settings: TestSettings = {},
    methods: readonly string[] = [],
    preload?: string,
  ): Promise<ServiceUnderTest> {
    return await ServiceUnderTest.start({ ...this.settings, ...settings }, methods, preload);
  }

  /** An exam and a laboratory. In each the first task passes and the second fails. */
  async makeAssessments(): Promise<void> {
    const tasks = taskPoints.map((points, index) => ({
      title: `Task ${points}`,
      points,
      order_index: index,
      verification_script: index === 0 ? 'echo PASS' : 'echo FAIL',
    }));
    const fields = { title: 'Trial', container_image: image, time_limit_minutes: 30, passing_score: 1 };
    const exam = await this.db
      .insertInto('assessments')
      .values({ kind: 'exam', ...fields })
      .returning('id')
      .executeTakeFirstOrThrow();
    const laboratory = await this.db
      .insertInto('assessments')
      .values({ kind: 'laboratory', ...fields })
      .returning('id')
      .executeTakeFirstOrThrow();
    this.exam = exam.id;
    this.laboratory = laboratory.id;
    for (const task of tasks) {
      await this.db
        .insertInto('assessment_tasks')
        .values({ assessment_kind: 'exam', ...task, assessment_id: exam.id })
        .execute();
      await this.db
        .insertInto('assessment_tasks')
        .values({ assessment_kind: 'laboratory', ...task, assessment_id: laboratory.id })
        .execute();
    }
  }

  async account(service: ServiceUnderTest): Promise<Account> {
    this.#accounts += 1;
    const username = `student${this.#accounts}`;
    const json = { username, email: `${username}@example.com`, password: `password of ${username}` };
    await service.request('POST', '/api/auth/register', { json });
    const { body } = await service.request('POST', '/api/auth/login', { json });
    const session = body as { access_token: string; user: { id: number } };
    return { id: session.user.id, token: session.access_token };
  }

  /** A request that must succeed. */
  async act<Body>(
    service: ServiceUnderTest,
    account: Account,
    [method, path, headers = {}]: Request,
    stop?: Stop,
  ): Promise<Body> {
    const request = () => service.request(method, path, { token: account.token, headers, ...(stop ? { stop } : {}) });
    let answer = await request();
    // An engine under load may refuse briefly. Then the user is asked to try again.
    for (let tries = 0; answer.status === 503 && tries < 5; tries += 1) {
      await delay(1000);
      answer = await request();
    }
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body as Body;
  }

  /** Describes the inconsistencies after the recovery. @param warm the expected number of warm containers */
  async problems(warm: number): Promise<string[]> {
    const [attempts, results, activity] = await Promise.all([
      this.db.selectFrom('attempts').selectAll().execute(),
      this.db.selectFrom('task_results').selectAll().execute(),
      this.db
        .selectFrom('activity_log')
        .select(['user_id', 'type', sql<number>`count(*)::int`.as('count')])
        .groupBy(['user_id', 'type'])
        .execute(),
    ]);
    const rows = await this.db.selectFrom('containers').selectAll().execute();
    const evidence = await this.db.selectFrom('attempt_evidence').selectAll().execute();
    const there = await this.engineContainers();
    const found: string[] = [];
    for (const { name, uid } of there) {
      if (!rows.some((row) => uid === row.uid)) found.push(`${name} has no record`);
    }
    for (const row of rows) {
      const container = there.find(({ uid }) => uid === row.uid);
      if (!container) found.push(`${row.name} is not on the engine`);
      if (!['running', 'stopped', 'warm'].includes(row.status)) found.push(`${row.name} is ${row.status}`);
      if (container && container.isRunning === (row.status === 'stopped'))
        found.push(`${row.name} is ${row.status}, and ${container.isRunning ? 'runs' : 'is stopped'} on the engine`);
      if (row.lost_uid !== null) found.push(`the container that ${row.name} replaces is not removed`);
      const attempt = attempts.find(({ id }) => id === row.attempt_id);
      if (row.attempt_id !== null && attempt?.status !== 'in_progress')
        found.push(`${row.name} belongs to an attempt that is ${attempt?.status}`);
      if (row.attempt_id === null && row.kind !== 'sandbox' && row.status !== 'warm')
        found.push(`${row.name} belongs to no attempt`);
    }
    const waiting = rows.filter(({ status }) => status === 'warm').length;
    if (waiting !== warm) found.push(`${waiting} containers are warm, not ${warm}`);
    for (const { id, status, score, expires_at, submitted_at } of attempts) {
      const container = rows.find(({ attempt_id }) => attempt_id === id);
      const own = results.filter(({ attempt_id }) => attempt_id === id);
      if (['queued', 'starting', 'grading'].includes(status)) found.push(`attempt ${id} is ${status}`);
      if (status === 'in_progress' && !container) found.push(`attempt ${id} is in progress without a container`);
      if (status === 'in_progress' && Number(expires_at) < Date.now()) found.push(`attempt ${id} is overdue`);
      if (!['finished', 'expired'].includes(status)) continue;
      if (own.length !== taskPoints.length || score !== 1) found.push(`attempt ${id}: ${own.length} results, ${score}`);
      if (status === 'expired' && Number(submitted_at) !== Number(expires_at))
        found.push(`attempt ${id} was submitted at ${submitted_at?.toISOString()}`);
    }
    for (const { id, status } of attempts) {
      const kept = evidence.find(({ attempt_id }) => attempt_id === id);
      if (['finished', 'expired'].includes(status) && kept?.status !== 'kept')
        found.push(`the evidence of attempt ${id} is ${kept?.status}`);
    }
    for (const { user_id, type, count } of activity)
      if (count > 1) found.push(`user ${user_id} has ${count} entries of ${type}`);
    return found;
  }

  /** The state of users' attempts, for the message when an operation did not reach its place. */
  async statesOf(userIds: readonly number[]): Promise<string[]> {
    if (userIds.length === 0) return [];
    const { rows } = await sql<{ id: number; status: string; grading_error: string | null; jobs: string }>`
      select a.id, a.status, a.grading_error, coalesce(string_agg(j.state || ' ' || coalesce(j.output::text, ''), ','), '') as jobs
      from attempts a left join jobs.job j on j.name = 'attempt-expiry' and j.data->>'attempt_id' = a.id::text
      where a.user_id = any(${userIds}) group by a.id`.execute(this.db);
    return rows.map(({ id, status, grading_error, jobs }) => `attempt ${id}: ${status}, ${grading_error}, job ${jobs}`);
  }

  async activityOf(userId: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('activity_log')
      .select('type')
      .where('user_id', '=', userId)
      .where('type', '<>', 'register')
      .orderBy('id')
      .execute();
    return rows.map(({ type }) => type);
  }

  async engineContainers(): Promise<EngineContainer[]> {
    return await this.engine.list();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }

  async #removeContainers(): Promise<void> {
    for (const { ref } of await this.engineContainers()) await this.engine.remove(ref).catch(() => undefined);
  }
}
