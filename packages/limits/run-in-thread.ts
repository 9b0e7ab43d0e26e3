import { Worker } from 'node:worker_threads';

/**
 * Runs a program on one task, in a thread of its own that ends afterwards. It posts its result as one message.
 * @param limits.seconds after which the thread is ended; `heapMb`: its memory in MiB
 * @param failure creates the error for a thread that fails, ends without a result, or exceeds a limit
 * @throws that error
 */
export async function runInThread<Result>(
  program: URL,
  task: unknown,
  limits: { seconds: number; heapMb: number },
  failure: (cause?: unknown) => Error,
): Promise<Result> {
  const worker = new Worker(program, {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  });
  const result: PromiseWithResolvers<Result> = Promise.withResolvers();
  const fail = (cause?: unknown): void => result.reject(failure(cause));
  const timer = setTimeout(fail, limits.seconds * 1000);
  worker.on('message', (message: Result) => result.resolve(message));
  worker.on('error', fail);
  worker.on('exit', () => fail());
  try {
    return await result.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
