import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { answerLimit, askContainer } from './ask-container.ts';

const mebibyte = 1024 * 1024;

/** Root in a container can trace our program there and forge its output. */
describe('a container with an endless answer', () => {
  let folder: string;
  let engine: Server;
  let sent = 0;
  let asked: object | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engine-'));
    const header = Buffer.alloc(8);
    header[0] = 1;
    header.writeUInt32BE(mebibyte, 4);
    const frame = Buffer.concat([header, Buffer.alloc(mebibyte, 'x')]);
    const flood = (response: ServerResponse): void => {
      while (sent < 2048 * mebibyte) {
        sent += mebibyte;
        if (!response.write(frame)) return void response.once('drain', () => flood(response));
      }
      response.end();
    };
    engine = createServer((request, response) => {
      if (!request.url?.endsWith('/exec')) return flood(response.writeHead(200));
      void request.toArray().then((chunks: Buffer[]) => {
        asked = JSON.parse(Buffer.concat(chunks).toString());
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ Id: 'e' }));
      });
    });
    engine.listen(join(folder, 'socket'));
    await once(engine, 'listening');
  });
  after(async () => {
    engine.closeAllConnections();
    engine.close();
    await rm(folder, { recursive: true });
  });

  it('is read up to the size limit', async () => {
    const docker = new Docker({ socketPath: join(folder, 'socket') });
    const abortSignal = AbortSignal.timeout(30_000);
    await assert.rejects(askContainer(docker, 'c', { script: 'true', abortSignal }), /bytes of output/);
    assert.ok(sent < answerLimit + 32 * mebibyte, `${sent} bytes were read`);
    // It starts in a folder where no student can create a link.
    assert.partialDeepStrictEqual(asked, { WorkingDir: '/', User: '0:0' });
  });
});
