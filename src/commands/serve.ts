import { findEngine } from '../adapters/docker/find-engine.ts';
import type { Overrides } from '../compose/parts.ts';
import { type Application, compose } from '../compose.ts';
import type { Config } from '../config.ts';
import { orStop, toOutput as report } from './steps.ts';

/**
 * Serves in this process.
 * @returns the running service, which the caller disposes of, and its address
 * @throws the reason of `stop` if that aborts first
 */
export async function serve(
  config: Config,
  parts: Overrides,
  stop: AbortSignal,
): Promise<{ application: Application; address: string }> {
  await using held = new AsyncDisposableStack();
  const engine = { ...parts.engine, find: () => findLater(config) };
  const application = held.use(await orStop(stop, compose(config, { ...parts, engine })));
  const address = await orStop(stop, application.listen());
  held.move();
  setTimeout(returnMemory, settled).unref();
  return { application, address };
}

/** Milliseconds after which nothing of the start is under way. */
const settled = 1000;

/**
 * Returns the memory that only the start needed. V8 keeps it otherwise. The launcher provides the function; without it, nothing
 * happens.
 */
function returnMemory(): void {
  void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
}

/** Finds an engine that starts after the service. Images are not built while requests wait. `npm run images` builds them. */
async function findLater(config: Config) {
  const found = await findEngine(config.engine);
  if ('options' in found) report('engine', `${found.description}, from now on`);
  return found;
}
