import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { serviceProgram } from './service-program.ts';
import { environmentOf, type TestSettings } from './settings.ts';
import { until } from './until.ts';

/** The commands as an operator runs them, each in its own process, on one data folder and one port. Disposing ends those left. */
export class Launched implements AsyncDisposable {
  readonly dataDir: string;
  readonly port: number;
  readonly #running = new Set<ChildProcess>();

  private constructor(dataDir: string, port: number) {
    this.dataDir = dataDir;
    this.port = port;
  }

  static async prepare(): Promise<Launched> {
    return new Launched(await mkdtemp(join(tmpdir(), 'commands-')), await freePort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  launch(args: string[], settings: TestSettings = {}, input?: string, program = serviceProgram) {
    const child = spawn(process.execPath, [program, ...args], {
      env: {
        ...process.env,
        ...environmentOf({
          DATA_DIR: this.dataDir,
          PORT: `${this.port}`,
          PROCESSES: '1',
          DATABASE_URL: undefined,
          LOG_LEVEL: 'warn',
          WARM_CONTAINERS: '0',
          BCRYPT_COST: '4',
          // A machine that is busy with other tests does not count as overloaded.
          maxEventLoopDelayMs: 0,
          ...settings,
        }),
      },
    });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    child.stdin.end(input);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    /** Waits for a line, or for the end of the process. */
    const shows = async (pattern: RegExp): Promise<string> => {
      await until(
        () => pattern.test(output) || hasEnded(),
        () => `${pattern} in ${output.slice(-2000)}`,
        120_000,
      );
      assert.match(output, pattern);
      return output;
    };
    const end = async (): Promise<{ code: number | null; output: string }> => {
      if (!hasEnded()) await once(child, 'close');
      return { code: child.exitCode, output };
    };
    return { child, until: shows, end, output: () => output };
  }

  async logIn(username: string, password: string): Promise<{ status: number; token: string }> {
    const body = new URLSearchParams({ username, password });
    const answer = await fetch(`${this.url}/api/auth/login`, { method: 'POST', body });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return { status: answer.status, token };
  }

  /** Ends the processes that a test left running. */
  async endAll(): Promise<void> {
    for (const child of this.#running) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endAll();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
