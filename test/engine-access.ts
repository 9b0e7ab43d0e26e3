import Docker from 'dockerode';
import type { EngineContainer } from '../src/ports/container-engine.ts';
import { isOnCluster } from './cluster.ts';
import { runInContainer } from './run-in-container.ts';
import { type TestServer, testEngine } from './server.ts';

/** A container of a server on its engine, by its name without the prefix. Undefined if there is none. */
export async function onEngine(
  { application, config }: TestServer,
  name: string,
): Promise<EngineContainer | undefined> {
  const given = config.engine.namePrefix + name;
  return (await application.engine.list()).find((container) => container.name === given);
}

/** The same, which must exist. */
export async function refOf(server: TestServer, name: string): Promise<string> {
  const found = await onEngine(server, name);
  if (!found) throw new Error(`There is no container ${name}`);
  return found.ref;
}

/** Removes a container from its engine without the service's knowledge. */
export async function loseContainer(server: TestServer, name: string): Promise<void> {
  await server.application.engine.remove(await refOf(server, name));
}

/** Runs a bash script as root in a container, not over a connection that its users see. @returns its output */
export async function asRoot(server: TestServer, name: string, script: string): Promise<string> {
  if (!isOnCluster) {
    const engine = await testEngine();
    if (!('options' in engine)) throw new Error(engine.reason);
    return (await runInContainer(new Docker(engine.options), server.config.engine.namePrefix + name, script, 'root'))
      .output;
  }
  await using connection = await server.application.shell.connect(await refOf(server, name), 'grader');
  const { output } = await connection.runScript(script, { seconds: 20, outputBytes: 64 * 1024 });
  return output;
}
