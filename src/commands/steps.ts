/** Prints one line for each step: its name and its result. */
export type Report = (step: string, text: string) => void;

export const toOutput: Report = (step, text) => void process.stdout.write(`${step.padEnd(14)}${text}\n`);

export const secondsSince = (begin: number): string => `${((performance.now() - begin) / 1000).toFixed(1)} s`;

/** Waits for work or for the stop signal, whichever comes first. The work itself is not aborted. */
export async function orStop<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  // Work that started after the stop signal fails later without a listener. An unhandled rejection would end the process.
  work.catch(() => {});
  stop.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(stop.reason);
  stop.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}

export const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });

/** Reduces an engine's build output, one line for each build step, to one line for each image. */
export function buildProgress(progress: (line: string) => void): (line: string) => void {
  const begun = new Set<string>();
  return (line) => {
    const image = /^(\S+): Step \d+\/\d+ /.exec(line)?.[1];
    if (image === undefined) progress(line);
    else if (!begun.has(image)) progress(`${image}: building`);
    if (image !== undefined) begun.add(image);
  };
}
