import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for the named turn on this machine and holds it until the returned object is disposed. The turn is a Linux abstract socket,
 * which the kernel releases when its owner exits, however that happens. Other systems do not take turns.
 * @param onWait called once if the turn is not available immediately
 */
export async function waitForTurn(name: string, onWait: () => void): Promise<AsyncDisposable> {
  if (process.platform !== 'linux') return { [Symbol.asyncDispose]: async () => {} };
  let server = await take(name);
  if (server === undefined) onWait();
  while (server === undefined) {
    await sleep(200);
    server = await take(name);
  }
  const taken = server;
  return { [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void taken.close(() => resolve())) };
}

function take(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(`\0${name}`, () => resolve(server));
  });
}
