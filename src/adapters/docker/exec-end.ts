import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';

/** How often the engine is asked, and the milliseconds between: the output of a command can end before the engine has noticed its exit. */
const patience = { tries: 40, pause: 50 };

/** The exit code of a command whose output has ended. Undefined: it goes on without us, or the engine does not tell. */
export async function exitCodeOf(exec: Docker.Exec): Promise<number | undefined> {
  for (let tries = 0; tries < patience.tries; tries += 1) {
    const state = await exec.inspect().catch(() => undefined);
    if (!state) return undefined;
    if (!state.Running) return state.ExitCode ?? undefined;
    await delay(patience.pause, undefined, { ref: false });
  }
  return undefined;
}
