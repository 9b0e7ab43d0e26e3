import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from '@node-rs/bcrypt';
import Docker from 'dockerode';
import { pino } from 'pino';
import { findEngine } from '../src/adapters/docker/find-engine.ts';
import type { Overrides } from '../src/compose/parts.ts';
import { type Application, compose } from '../src/compose.ts';
import { type Config, loadConfig } from '../src/config.ts';
import type { DatabaseAddress } from '../src/database/connection/connect.ts';
import type { Role } from '../src/database/tables.ts';
import { UserStore } from '../src/features/auth/store.ts';
import { clusterVariables, isOnCluster, removeFromCluster } from './cluster.ts';
import { createTestDatabase } from './database.ts';
import { type ApiDocument, DocumentedAnswers, withoutReferences } from './documented-answers.ts';
import { recentLog } from './recent-log.ts';
import { RoundRobin } from './round-robin.ts';
import { argumentsOf, type TestSettings } from './settings.ts';
import { shippedLessons } from './shipped-lessons.ts';
import { until } from './until.ts';
import { within } from './within.ts';

export type TestUser = { id: number; username: string; email: string; password: string; token: string };
export type RequestOptions = {
  token?: string | undefined;
  json?: unknown;
  headers?: Record<string, string>;
  body?: string | FormData | URLSearchParams | Uint8Array<ArrayBuffer>;
};
/** An answer with its body parsed where it is JSON, and the `Error-Code` of a refusal. */
export type Answer = {
  status: number;
  code: string | null;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  body: any;
  text: string;
  bytes: Buffer;
};

/** What an answer tells: its body, with the `Error-Code` of a refusal as `code`. */
export const told = ({ body, code }: Pick<Answer, 'body' | 'code'>) => (code === null ? body : { ...body, code });

/** The items of a 422 whose problem has a code of its own. */
export const codedItems = ({ headers }: Pick<Answer, 'headers'>) => JSON.parse(headers.get('error-items') ?? '[]');

/** For `describe`'s `skip`: why tests of containers cannot run here, or false. */
export const engineSkip: string | false = process.env['TEST_WITHOUT_ENGINE'] ?? false;

/** The cost of a password's hash. */
const cheapest = 4;

/** The engine that the tests' setup found. */
export async function testEngine(): Promise<Overrides['engine']> {
  const reason = process.env['TEST_WITHOUT_ENGINE'];
  return reason === undefined ? await findEngine({ dockerHost: process.env['DOCKER_HOST'] }) : { reason };
}

/** Shared by all servers of a test file: configuration does not change the answers in the API document. */
let documentedAnswers: DocumentedAnswers | undefined;

type Kept = { containers: boolean };

/**
 * The number of service instances behind each test server. With `TEST_PROCESSES=2`, the same tests show that instances on one database and
 * one engine answer as one. They share only those and the data folder, like separate processes.
 */
export const processCount = Number(process.env['TEST_PROCESSES'] ?? '1');

/** The service on a free port, with its own database on the test PostgreSQL. Tests use its HTTP interface. */
export class TestServer implements AsyncDisposable {
  readonly url: string;
  /** The URL of each process. `url` is that of the only process, or of the proxy in front of them. */
  readonly urls: readonly string[];
  readonly application: Application;
  readonly config: Config;
  readonly dataDir: string;
  readonly database: DatabaseAddress;
  readonly #cleanup: AsyncDisposableStack;
  readonly #kept: Kept;
  #users = 0;
  #hasEnded = false;

  private constructor(
    {
      url,
      urls,
      application,
      config,
      database,
      kept,
    }: Pick<TestServer, 'url' | 'urls' | 'application' | 'config' | 'database'> & { kept: Kept },
    cleanup: AsyncDisposableStack,
  ) {
    this.url = url;
    this.urls = urls;
    this.application = application;
    this.config = config;
    this.dataDir = config.dataDir;
    this.database = database;
    this.#cleanup = cleanup;
    this.#kept = kept;
  }

  get #documented(): DocumentedAnswers {
    const document = () => withoutReferences(this.application.app.swagger() as unknown as ApiDocument);
    documentedAnswers ??= new DocumentedAnswers(document());
    return documentedAnswers;
  }

  /**
   * @param settings beyond the test's own: hashing is cheap, the log is kept for a failing test, nothing is warmed up, the shipped
   * lessons are shared
   * @param processes 1 for a test that inspects the process itself
   */
  static async start(
    settings: TestSettings = {},
    overrides: Partial<Overrides> = {},
    processes = processCount,
  ): Promise<TestServer> {
    await using cleanup = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'platform-test-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const database = overrides.database ?? cleanup.use(await createTestDatabase()).address;
    const prefix = `t${process.pid}${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}-`;
    const defaults = {
      PORT: '0',
      DATA_DIR: dataDir,
      BCRYPT_COST: `${cheapest}`,
      // Each further connection costs PostgreSQL 10 ms, because it reads the catalogue and plans each statement once.
      DATABASE_CONNECTIONS: '6',
      // All users of a test come from one network.
      PEOPLE_PER_ADDRESS: '1000000',
      LOG_LEVEL: 'silent',
      WARM_CONTAINERS: '0',
      examWarmMinutes: 0,
      // Fixed on every machine, because some tests pause several starts midway.
      CONTAINER_STARTS: '4',
      // Tests call `reconcile()`. A round in between would remove what they have just prepared: orphans, or rows with times in the past.
      reconcileSeconds: 3600,
      // Tests call `silentChecks.run()` and the rounds of `lti`: one of the service would read at another moment than they expect.
      silentRoundSeconds: 3600,
      mailRoundSeconds: 3600,
      // It runs a count in each container, which tests of what runs there would see.
      diskCheckSeconds: 3600,
      // Tests run heavy work in the server's own process.
      maxEventLoopDelayMs: 0,
      // A slow machine is no fault: only tests of these limits make one small enough to be reached.
      maxStartWaitSeconds: 300,
      engineTimeoutSeconds: 120,
      sshTimeoutSeconds: 60,
      databaseStatementSeconds: 60,
      databaseAcquireSeconds: 60,
      databaseSilenceSeconds: 60,
      searchTimeoutMs: 30_000,
    };
    const own: TestSettings = {
      DOCKER_HOST: process.env['DOCKER_HOST'],
      CONTAINER_NAME_PREFIX: prefix,
      ...defaults,
      ...(isOnCluster ? clusterVariables(dataDir, { CONTAINER_STARTS: '4' }) : {}),
      ...settings,
    };
    const config = loadConfig(...argumentsOf(own));
    const isSilent = config.logLevel === 'silent';
    const log = isSilent
      ? pino({ level: 'warn', base: null }, recentLog)
      : pino({ level: config.logLevel, base: null });
    const engine = await testEngine();
    // Containers that a failed test left running are removed after the service has ended.
    const kept = { containers: false };
    let installation: string | undefined;
    cleanup.defer(async () => {
      if (kept.containers) return;
      await removeContainers(engine, config.engine.namePrefix);
      if (installation !== undefined) await removeFromCluster(installation, config.kubernetes.namespace);
    });
    const lessons = config.lessons.url === undefined ? { lessonSource: shippedLessons() } : {};
    // In a trial each opponent takes seconds of a core. Only tests of opponents have them all.
    const parts: Overrides = { engine, log, opponents: ['empty'], ...lessons, ...overrides, database };
    // It ends last, so that clients see how the processes end.
    const proxy = cleanup.use(new RoundRobin());
    const applications: Application[] = [];
    const urls: string[] = [];
    for (let count = 0; count < processes; count += 1) {
      const application = cleanup.use(await compose(config, parts));
      applications.push(application);
      urls.push(await application.listen());
    }
    const [application] = applications as [Application];
    if (isOnCluster) {
      const row = await application.db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
      installation = row.id;
    }
    const url = processes > 1 ? (await proxy.start(urls)).url : (urls[0] ?? '');
    return new TestServer({ url, urls, application, config, database, kept }, cleanup.move());
  }

  /** Sends one request. `path` begins with a slash. Fails where the answer does not match the API document. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const headers = new Headers(options.headers);
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
    if (options.json !== undefined) headers.set('content-type', 'application/json');
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const response = await fetch(this.url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const bytes = isStream ? await firstEvent(response) : Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const { status } = response;
    const parsed = isJson ? JSON.parse(text) : undefined;
    const code = response.headers.get('error-code');
    const answer = { status, code, headers: response.headers, body: parsed, text, bytes };
    this.#documented.check(method, path, answer);
    return answer;
  }

  get = (path: string, token?: string): Promise<Answer> => this.request('GET', path, { token });
  post = (path: string, token?: string, json?: unknown): Promise<Answer> => this.request('POST', path, { token, json });
  put = (path: string, token?: string, json?: unknown): Promise<Answer> => this.request('PUT', path, { token, json });
  delete = (path: string, token?: string): Promise<Answer> => this.request('DELETE', path, { token });

  /**
   * Runs one complete round of the reconciler, because a running one may have passed what a test has prepared. Then waits for its
   * gradings, because a long one continues in parallel with the next rounds.
   */
  async reconcile(): Promise<void> {
    await until(() => this.application.reconciler.run(), 'a round of the reconciler');
    const grading = this.application.db.selectFrom('attempts').select('id').where('status', '=', 'grading');
    await until(async () => (await grading.execute()).length === 0, 'the end of gradings');
  }

  /** Creates a user with a session. Only the tests of registration and login use their requests, which cost four times as much. */
  async user(role: Role = 'student'): Promise<TestUser> {
    this.#users += 1;
    const username = `${role}${this.#users}`;
    const account = { username, email: `${username}@example.com`, password: `password of ${username}` };
    const { auth, db } = this.application;
    const password_hash = hashSync(account.password, { cost: this.config.passwords.bcryptCost });
    const row = await new UserStore(db).create({ username, email: account.email, password_hash, role });
    const { access_token: token } = await auth.refresh({ ...row, login: randomUUID() });
    return { id: row.id, ...account, token };
  }

  /** Leaves the containers to another service on the same database. */
  keepContainers(): void {
    this.#kept.containers = true;
  }

  /** Whether nothing at its address answers any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await within(120_000, 'the end of the service', this.#cleanup.disposeAsync());
  }
}

/** A stream of events does not end by itself. */
async function firstEvent(response: Response): Promise<Buffer> {
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes('\n\n')) break;
  }
  return Buffer.from(text);
}

async function removeContainers(engine: Overrides['engine'], prefix: string): Promise<void> {
  if ('reason' in engine) return;
  const docker = new Docker(engine.options);
  const left = await docker.listContainers({ all: true, filters: { name: [prefix] } });
  await Promise.all(
    left.map(({ Id }) =>
      docker
        .getContainer(Id)
        .remove({ force: true, v: true })
        .catch(() => undefined),
    ),
  );
}
