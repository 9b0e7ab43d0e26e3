import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { isExhausted } from './exhaustion.ts';

/** Docker Engine 20.10 does this if a container is killed while an exec starts: the output never ends. */
describe('an engine that never ends the output of an exec', () => {
  let folder: string;
  let engine: Server;
  let asked: Socket | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engine-'));
    engine = createServer((request, response) => {
      const json = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url?.includes('/stats')) json(200, {});
      else if (request.url?.endsWith('/exec')) json(201, { Id: 'e' });
      else {
        asked = request.socket;
        response.writeHead(200).write('half of it');
      }
    });
    engine.listen(join(folder, 'socket'));
    await once(engine, 'listening');
  });
  after(async () => {
    engine.closeAllConnections();
    engine.close();
    await rm(folder, { recursive: true });
  });

  it('is abandoned after the timeout, and leaves no resources of the call', async () => {
    const docker = new Docker({ socketPath: join(folder, 'socket') });
    assert.equal(await isExhausted(docker, 'c', 2000), false);
    assert.ok(asked);
    if (!asked.destroyed) await once(asked, 'close');
  });
});
