/** One line a step: what it is about, and what came of it. */
export type Report = (step: string, text: string) => void;

export const toOutput: Report = (step, text) => void process.stdout.write(`${step.padEnd(14)}${text}\n`);

export const secondsSince = (begin: number): string => `${((performance.now() - begin) / 1000).toFixed(1)} s`;

/** Waits for work or for the signal to stop, whichever is first. The work itself is not ended. */
export async function orStop<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  // Work that was begun when it was to stop already fails later, with nobody listening: that would end the process.
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

/** Of an engine's account of a build, a line for each of its steps, one line an image remains. */
export function buildProgress(progress: (line: string) => void): (line: string) => void {
  const begun = new Set<string>();
  return (line) => {
    const image = /^(\S+): Step \d+\/\d+ /.exec(line)?.[1];
    if (image === undefined) progress(line);
    else if (!begun.has(image)) progress(`${image}: building`);
    if (image !== undefined) begun.add(image);
  };
}
