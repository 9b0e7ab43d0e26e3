import { type Config, loadConfig } from '../config.ts';
import { InvalidError } from '../errors.ts';

export type CommandContext = {
  config: Config;
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP. */
  stop: AbortSignal;
};

/** npm forwards a signal that the terminal has already sent to this process. The duplicate arrives within this time, in ms. */
const duplicateWindow = 1000;

/**
 * Runs the body of a command with the validated configuration. The number that the body returns becomes the exit status of the process. A
 * body that fails because it was stopped counts as a success.
 */
export async function runCommand(body: (context: CommandContext) => Promise<number>): Promise<void> {
  const config = loadConfig();
  const { stop } = listenForStop(config.stopDelay + config.stopTimeout);
  try {
    process.exitCode = await body({ config, stop });
  } catch (error) {
    if (stop.aborted && error === stop.reason) process.exitCode = 0;
    else throw error;
  }
}

/** The first signal requests a stop. A second signal, or `timeout` ms, ends the process. @returns also a way to request it without one */
export function listenForStop(
  timeout: number,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'],
): { stop: AbortSignal; abort: (by: string) => void } {
  const controller = new AbortController();
  let stoppedAt = 0;
  const end = (reason: string): never => {
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  };
  const abort = (by: string): void => {
    if (controller.signal.aborted) return;
    stoppedAt = Date.now();
    controller.abort(new Error(`stopped by ${by}`));
    setTimeout(() => end(`Stopping took longer than ${timeout / 1000} s: ended`), timeout).unref();
  };
  for (const name of signals) {
    process.on(name, () => {
      if (!controller.signal.aborted) abort(name);
      else if (Date.now() - stoppedAt > duplicateWindow) end('Ended by a second signal');
    });
  }
  return { stop: controller.signal, abort };
}

/** The message for an operator. It contains a stack trace only for an error in this program. */
export function explain(error: unknown): string {
  if (error instanceof InvalidError)
    return error.items.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('\n');
  if (!(error instanceof Error)) return String(error);
  const isProgrammingError =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isProgrammingError ? (error.stack ?? error.message) : error.message;
}
