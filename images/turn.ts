import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until no other process on this machine holds the turn of this name; it is ours until the returned object is
 * disposed of. The turn is a Linux socket without a file, which the kernel takes back when its owner ends, however it
 * ends. Other systems do not take turns.
 * @param onWait called once where the turn is not to be had at once
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
