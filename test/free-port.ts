import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Browsers refuse some ports below. Those from 32,768 on are given to whoever listens on any port: another test could get it before the
 * service that it was chosen for.
 */
const [first, end] = [11_000, 32_000];

/** A port of this machine that nothing listens on, for a service that starts later or again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
    const server = createServer().listen(port);
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        return false;
      },
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
