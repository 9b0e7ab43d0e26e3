/**
 * The memory of idle terminals, of 900 beyond the first hundred: each has a client and a prompt on its screen. Their shells are streams within the process:
 * a thousand real ones would take the memory of a large machine. The first hundred, which start the
 * threads, do not count.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { report } from './environment.ts';

const few = 100;
const many = 1000;
const target = 150;

const child = fork(join(import.meta.dirname, 'idle-terminals-process.ts'), { execArgv: ['--expose-gc'] });
const [{ port }] = (await once(child, 'message')) as [{ port: number }];
const clients: WebSocket[] = [];

async function openUntil(count: number): Promise<number> {
  while (clients.length < count) {
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    await once(client, 'message', { signal: AbortSignal.timeout(20_000) });
    clients.push(client);
  }
  child.send('memory');
  const [{ open, rss }] = (await once(child, 'message')) as [{ open: number; rss: number }];
  if (open !== count) throw new Error(`${open} of ${count} terminals are open`);
  return rss;
}

const before = await openUntil(few);
const after = await openUntil(many);
report('memory of an idle terminal / the target', (after - before) / 1000 / (many - few), target, 'kB', '≤ 1.00');
for (const client of clients) client.terminate();
child.kill('SIGKILL');
await once(child, 'exit');
