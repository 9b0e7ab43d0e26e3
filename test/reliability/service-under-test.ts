import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, type TestSettings } from '../settings.ts';
import { until } from '../until.ts';
import type { Order, Report } from './service-process.ts';

export type Stop = { operation: string; place: string };
export type Answer = { status: number; text: string; body: unknown };

/** A service in a separate process, which a test kills. */
export class ServiceUnderTest implements AsyncDisposable {
  readonly url: string;
  /** Operations that have stopped at their place. */
  readonly stopped = new Set<string>();
  /** The failures of operations that did not reach their place. */
  readonly failures: string[] = [];
  isAlive = true;
  readonly #child: ChildProcess;
  readonly #counts = new Map<string, number>();
  #time = 0;
  #ordered = 0;
  #taken = 0;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    child.on('message', (report: Report) => {
      if ('stopped' in report) this.stopped.add(report.stopped);
      if ('calls' in report) this.#counts.set(report.method, report.calls);
      if ('time' in report) this.#time = report.time;
      if ('taken' in report) this.#taken = report.taken;
    });
  }

  /**
   * @param methods at which operations can be stopped, such as `StartStore.reserve`
   * @param preload a module that is loaded first
   */
  static async start(
    settings: TestSettings,
    methods: readonly string[] = [],
    preload?: string,
  ): Promise<ServiceUnderTest> {
    const dataDir = await mkdtemp(join(tmpdir(), 'platform-test-'));
    const child = fork(join(import.meta.dirname, 'service-process.ts'), {
      execArgv: preload === undefined ? [] : ['--import', preload],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...process.env,
        ...environmentOf({
          PORT: '0',
          DATA_DIR: dataDir,
          BCRYPT_COST: '4',
          PEOPLE_PER_ADDRESS: '1000000',
          LOG_LEVEL: process.env['SERVICE_LOG'] ?? 'fatal',
          maxEventLoopDelayMs: 0,
          SECRET_KEY: 'the same for each process of a test',
          WRAPPED_METHODS: [...new Set(methods)].join(','),
          ...settings,
        }),
      },
    });
    child.once('exit', () => void rm(dataDir, { recursive: true, force: true }));
    const [report] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`The service ended with ${code} at its start`))),
    ])) as [Report];
    return new ServiceUnderTest(child, 'url' in report ? report.url : '');
  }

  /** @param stop where the service stops processing the request. Then there is no answer */
  async request(
    method: string,
    path: string,
    options: { token?: string | undefined; json?: unknown; stop?: Stop; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { token, json, stop, headers } = options;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(stop ? { 'x-stop-at': stop.place, 'x-operation': stop.operation } : {}),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** Resolves when the service has received the order. Without this, requests and jobs could overtake it. */
  async order(order: Order): Promise<void> {
    const number = this.#send(order);
    await until(() => this.#taken >= number, 'the service to take an order');
  }

  async calls(method: string): Promise<number> {
    await this.order({ do: 'count', method });
    return this.#counts.get(method) ?? 0;
  }

  /** The time of its clock, in milliseconds since 1970. */
  async time(): Promise<number> {
    await this.order({ do: 'tell the time' });
    return this.#time;
  }

  /** SIGKILL: no handler runs. */
  async kill(): Promise<void> {
    this.isAlive = false;
    const end = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    const [, signal] = await end;
    if (signal !== 'SIGKILL') throw new Error('The service ended by itself');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const end = once(this.#child, 'exit');
    this.#send({ do: 'end' });
    // A stopped operation never ends.
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await end;
    clearTimeout(timer);
  }

  #send(order: Order): number {
    this.#ordered += 1;
    this.#child.send({ order, number: this.#ordered });
    return this.#ordered;
  }
}
