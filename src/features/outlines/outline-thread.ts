import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../errors.ts';
import type { OutlineResult, OutlineTask } from '../../workers/outline.ts';

const program = new URL('../../workers/outline.ts', import.meta.url);

/** @throws Unavailable where the repository takes too much time or memory */
export async function outlineInThread(
  files: OutlineTask['files'],
  name: string,
  { seconds = 30, heapMb = 512 } = {},
): Promise<OutlineResult> {
  const task: OutlineTask = { files, name };
  const worker = new Worker(program, {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const result: PromiseWithResolvers<OutlineResult> = Promise.withResolvers();
  const fail = (cause?: unknown): void =>
    result.reject(new Unavailable('lessons_unavailable', 'The repository takes too long to read', { cause }));
  const timer = setTimeout(fail, seconds * 1000);
  worker.on('message', (outline: OutlineResult) => result.resolve(outline));
  worker.on('error', fail);
  worker.on('exit', () => fail());
  try {
    return await result.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
