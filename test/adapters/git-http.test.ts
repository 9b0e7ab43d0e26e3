import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLessonSource } from '../../src/adapters/git/create-lesson-source.ts';
import { serveRepository } from '../git-http.ts';
import { LocalRepository, run } from '../git-repository.ts';
import { until } from '../until.ts';
import { MemoryLog } from './git-mirror-fixture.ts';

const password = 'p@ss/word of lessons';

/** Git's own HTTP server program, behind a password. */
function serve(repository: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.authorization !== `Basic ${Buffer.from(`school:${password}`).toString('base64')}`) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="lessons"' }).end();
    return;
  }
  serveRepository(repository, request, response);
}

describe('lessons over HTTP', () => {
  let repository: LocalRepository;
  let folder: string;
  let port: number;
  let commands: string[] = [];
  const server = createServer((request, response) => {
    void run('ps', ['-eo', 'args=']).then((list) => {
      commands.push(list);
      serve(repository.path, request, response);
    });
  });

  before(async () => {
    repository = await LocalRepository.create();
    folder = await mkdtemp(join(tmpdir(), 'platform-http-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    server.close();
    await repository[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  function source(dataDir: string, secret: string) {
    const log = new MemoryLog();
    const url = `http://school:${encodeURIComponent(secret)}@127.0.0.1:${port}/${repository.path.split('/').at(-1)}`;
    const lessons = createLessonSource({
      dataDir,
      url,
      shippedFolder: '',
      staleSeconds: 3600,
      timeoutSeconds: 20,
      maxFileBytes: 1024 * 1024,
      log,
    });
    return { lessons, log };
  }

  it('sends the password only to the server', async () => {
    const commit = await repository.commit({ 'a.md': 'over http' });
    commands = [];
    const dataDir = join(folder, 'right');
    const { lessons, log } = source(dataDir, password);
    await using _ = lessons;
    const version = await lessons.open();
    assert.equal(version.commit, commit);
    assert.equal((await version.read('a.md')).bytes.toString(), 'over http');
    assert.ok(commands.some((list) => list.includes('git-remote-http') || list.includes('remote-http')));
    const traces = [...commands, JSON.stringify([log.infos, log.warnings])];
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) traces.push(await readFile(join(entry.parentPath, entry.name), 'latin1'));
    }
    for (const trace of traces) {
      assert.ok(!trace.includes(password) && !trace.includes(encodeURIComponent(password)));
    }
  });

  it('reports a wrong password without revealing it', async () => {
    await repository.commit({ 'a.md': 'over http' });
    const { lessons, log } = source(join(folder, 'wrong'), 'another-s3cret');
    await using _ = lessons;
    await assert.rejects(lessons.open(), { status: 503 });
    assert.equal(log.warnings[0]?.['reason'], 'the Git server refused the credentials');
    assert.ok(!JSON.stringify(log.warnings).includes('another-s3cret'));
  });

  it('is served by programs that end with their clients', async () => {
    commands = [];
    const isRunning = () => process.getActiveResourcesInfo().includes('ProcessWrap');
    const client = connect(port, '127.0.0.1');
    const authorization = `Basic ${Buffer.from(`school:${password}`).toString('base64')}`;
    const path = `/${repository.path.split('/').at(-1)}/git-upload-pack`;
    client.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n`);
    client.write(
      'content-type: application/x-git-upload-pack-request\r\ncontent-length: 1000\r\n\r\n0014command=ls-refs\n',
    );
    await until(() => commands.length > 0, 'the request');
    client.destroy();
    await until(() => !isRunning(), 'the end of the programs');
  });
});
