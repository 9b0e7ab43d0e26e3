import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import Docker from 'dockerode';
import type { Overrides } from '../src/compose/parts.ts';
import type { AttemptKind } from '../src/database/tables.ts';
import { isOnCluster } from './cluster.ts';
import { finishAttempt } from './finished-attempt.ts';
import { assessmentPaths, makeAssessment } from './made-assessment.ts';
import { runInContainer } from './run-in-container.ts';
import { TestServer, type TestUser, testEngine } from './server.ts';
import type { TestSettings } from './settings.ts';

export type Started = { attempt_id: number; container_id: number; container_name: string };

/** A service with an administrator and an instructor, their exams and laboratories, and access to the engine. */
export class Classroom implements AsyncDisposable {
  readonly server: TestServer;
  readonly docker: Docker;
  readonly admin: TestUser;
  readonly instructor: TestUser;

  private constructor(parts: Pick<Classroom, 'server' | 'docker' | 'admin' | 'instructor'>) {
    this.server = parts.server;
    this.docker = parts.docker;
    this.admin = parts.admin;
    this.instructor = parts.instructor;
  }

  /** Requires an engine. @param settings, overrides the configuration of the service */
  static async open(settings: TestSettings = {}, overrides: Partial<Overrides> = {}): Promise<Classroom> {
    const engine = await testEngine();
    assert.ok('options' in engine);
    const server = await TestServer.start(settings, overrides);
    const [admin, instructor] = [await server.user('admin'), await server.user('instructor')];
    return new Classroom({ server, docker: new Docker(engine.options), admin, instructor });
  }

  /** Creates an exam or a laboratory with the given scripts: see makeAssessment(). @returns its id */
  async make(kind: AttemptKind, scripts: readonly string[], more: object = {}): Promise<number> {
    return await makeAssessment(this.server, this.admin, kind, scripts, more);
  }

  async start(user: TestUser, kind: AttemptKind, id: number): Promise<Started> {
    const started = await this.server.post(`/api/${assessmentPaths[kind]}/${id}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    return started.body;
  }

  /** Writes a finished attempt, for tests that do not need its container. @param passed for each task @returns the id of the attempt */
  async finish(user: TestUser, kind: AttemptKind, id: number, passed: readonly boolean[]): Promise<number> {
    return await finishAttempt(this.server, user, kind, id, passed);
  }

  /** The name of a container on the engine. */
  engineName(name: string): string {
    return this.server.config.engine.namePrefix + name;
  }

  /** All containers on the engine; on a cluster, those of this service. */
  async names(): Promise<string[]> {
    if (!isOnCluster) {
      const containers = await this.docker.listContainers({ all: true });
      return containers.flatMap(({ Names }) => Names.map((name) => name.slice(1)));
    }
    return (await this.server.application.engine.list()).map(({ name }) => name);
  }

  /** Runs a command as the student, like a terminal. */
  async asStudent(name: string, command: string): Promise<void> {
    if (!isOnCluster) return await this.#onDocker(name, command);
    const { shell } = this.server.application;
    await using connection = await shell.connect(await this.#ref(name), 'grader');
    const words = `'${command.replaceAll("'", "'\\''")}'`;
    const script = `/usr/sbin/chroot --userspec=1000:1000 / /usr/bin/env HOME=/home/student /bin/bash -lc ${words} && echo done`;
    const { output } = await connection.runScript(script, { seconds: 20, outputBytes: 4096 });
    assert.match(output, /done\n$/);
  }

  /** Runs a script as root, from `/`. @returns its output */
  async asRoot(name: string, script: string): Promise<string> {
    if (!isOnCluster) {
      const { code, output } = await runInContainer(this.docker, this.engineName(name), script, 'root', '/');
      assert.equal(code, 0, output);
      return output;
    }
    // Not as a check, whose processes are killed with it.
    const words = `'${script.replaceAll("'", "'\\''")}'`;
    const command = `cd / && HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /bin/bash -c ${words} 2>&1`;
    const { stream, exitCode } = await this.server.application.engine.openCommand(await this.#ref(name), command);
    const output = await text(stream);
    assert.equal(await exitCode(), 0, output);
    return output;
  }

  /** Not over a connection of the service, which some tests interrupt. */
  async #onDocker(name: string, command: string): Promise<void> {
    const exec = await this.docker
      .getContainer(this.engineName(name))
      .exec({ Cmd: ['bash', '-lc', command], User: '1000:1000', AttachStdout: true });
    const stream = await exec.start({});
    stream.resume();
    await new Promise((resolve) => stream.once('end', resolve));
    assert.equal((await exec.inspect()).ExitCode, 0);
  }

  /** Removes a container from the engine without the service's knowledge. */
  async lose(name: string): Promise<void> {
    await this.server.application.engine.remove(await this.#ref(name));
  }

  async #ref(name: string): Promise<string> {
    const given = this.engineName(name);
    const found = (await this.server.application.engine.list()).find((container) => container.name === given);
    assert.ok(found, `a container ${given}`);
    return found.ref;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}
