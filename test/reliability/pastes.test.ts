import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser, testEngine } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const v1 = { protocol: 'terminal.v1' } as const;
const megabyte = 1024 * 1024;
/** The size of the messages in which the pages send a paste, in bytes. */
const frame = 4096;

/** Lines that a terminal accepts in canonical mode: at most 4095 bytes each. */
function linesOf(length: number): Buffer {
  const bytes = Buffer.from(randomBytes(length).toString('base64').slice(0, length));
  for (let end = 79; end < length; end += 80) bytes[end] = 10;
  bytes[length - 1] = 10;
  return bytes;
}

/**
 * The mode of the terminal during a paste. In canonical mode without echo the SSH server answers each paste with as many bytes of its
 * own. In raw mode every byte passes unchanged.
 */
const settings = {
  lines: { stty: 'stty -echo', make: linesOf },
  raw: { stty: 'stty raw -echo', make: (length: number) => randomBytes(length) },
};

describeLong('pastes', { skip: engineSkip }, () => {
  let server: TestServer;
  let docker: Docker;
  let user: TestUser;
  let container: { id: number; name: string };
  before(async () => {
    server = await TestServer.start();
    const engine = await testEngine();
    if ('options' in engine) docker = new Docker(engine.options);
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
    user = await server.user();
    container = await create();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  async function create() {
    const created = await server.post('/api/containers/create', user.token, {});
    assert.equal(created.status, 201, created.text);
    return created.body as { id: number; name: string };
  }
  const open = (options: ConstructorParameters<typeof TerminalClient>[1] = {}, query = '', { id } = container) =>
    new TerminalClient(`${server.url}/ws/terminal/${id}?token=${user.token}${query}`, options);

  let last = 0;
  /** Starts to read `length` bytes in the container. @returns the part of their checksum that the shell prints at the end */
  async function read(client: TerminalClient, stty: string, length: number, before = 'true'): Promise<RegExp> {
    last += 1;
    client.type(
      `${stty}; echo re""ad-${last}; ${before}; head -c ${length} > f; stty sane; echo "sum-${last} $(sha256sum < f)"\n`,
    );
    await client.shows(`read-${last}`);
    return new RegExp(`sum-${last} ([0-9a-f]{64})`);
  }
  function paste(client: TerminalClient, bytes: Buffer, as: 'bytes' | 'text' | 'messages' = 'bytes'): void {
    for (let offset = 0; offset < bytes.length; offset += frame) {
      const part = bytes.subarray(offset, offset + frame);
      if (as === 'bytes') client.socket.send(part);
      else if (as === 'text') client.socket.send(part.toString());
      else client.send({ type: 'input', data: part.toString() });
    }
  }
  // Twelve megabytes in lines through a terminal take half a minute on a busy machine.
  const sumIn = async (client: TerminalClient, sum: RegExp) => sum.exec(await client.shows(sum, 120_000))?.[1];

  for (const [name, options] of [
    ['without the subprotocol', {}],
    ['by terminal.v1', v1],
  ] as const) {
    const count = rounds(4, 500);
    it(`${count} of 1 MB arrive ${name}, to the last byte`, { timeout: count * 60_000 }, async () => {
      const client = await open(options).ready();
      for (let round = 0; round < count; round += 1) {
        const { stty, make } = settings[round % 2 === 0 ? 'lines' : 'raw'];
        // In each mode text consists of lines. Anything else is sent as bytes.
        const isText = round % 4 === 2;
        const bytes = make(megabyte);
        const sum = await read(client, stty, bytes.length);
        paste(client, bytes, isText ? (options === v1 ? 'messages' : 'text') : 'bytes');
        assert.equal(await sumIn(client, sum), sha256(bytes), `round ${round}, ${stty}`);
      }
      client.socket.terminate();
    });
  }

  it('of 100 KB into a terminal without echo do not end the shell', async () => {
    const client = await open(v1).ready();
    for (let round = 0; round < rounds(10, 100); round += 1) {
      const bytes = linesOf(102_400);
      const sum = await read(client, 'stty -echo', bytes.length);
      paste(client, bytes);
      assert.equal(await sumIn(client, sum), sha256(bytes), `round ${round}`);
    }
    client.socket.terminate();
  });

  it('wait for a reader without blocking another terminal, and arrive then', async () => {
    const [client, other] = await Promise.all([open(v1).ready(), open(v1).ready()]);
    for (const { stty, make } of Object.values(settings)) {
      const bytes = make(12 * megabyte);
      const sum = await read(client, stty, bytes.length, 'until [ -e go ]; do sleep 0.1; done; rm go');
      paste(client, bytes);
      other.type('echo me""anwhile\n');
      await other.shows('meanwhile');
      assert.ok(client.socket.bufferedAmount > 0, 'twelve megabytes went in although nothing reads');
      other.type('touch go; clear\n');
      assert.equal(await sumIn(client, sum), sha256(bytes), stty);
    }
    for (const one of [client, other]) one.socket.terminate();
  });

  it('arrive completely even if the client disconnects right after them', async () => {
    const client = await open(v1).ready();
    const { session_id } = await client.message('ready');
    const bytes = linesOf(megabyte);
    const sum = await read(client, 'stty -echo', bytes.length);
    paste(client, bytes);
    client.socket.close();
    await client.closed;
    const again = open(v1, `&session=${session_id}`);
    assert.equal(await sumIn(again, sum), sha256(bytes));
    again.socket.terminate();
  });

  it('that are interrupted are neither repeated nor reordered after resuming', async () => {
    for (let round = 0; round < rounds(3, 50); round += 1) {
      const client = await open(v1).ready();
      const { session_id } = await client.message('ready');
      const bytes = linesOf(megabyte);
      client.type(
        `rm -f f; stty -echo; echo re""ad; cat > f; stty sane; echo "size $(wc -c < f) sum $(sha256sum < f)"\n`,
      );
      await client.shows('read\r\n');
      paste(client, bytes);
      await until(() => client.socket.bufferedAmount < ((round % 3) * megabyte) / 3 + 1, 'a part of the paste');
      // In half of the rounds the old connection is still open when the new one arrives.
      if (round % 2 === 0) client.socket.terminate();
      const again = open(v1, `&session=${session_id}`);
      await again.message('ready');
      const end = '\nthe end\n';
      again.type(`${end}\x04`);
      const [, size, sum] = /size (\d+) sum (\w{64})/.exec(await again.shows(/size \d+ sum \w{64}/)) ?? [];
      const arrived = bytes.subarray(0, Number(size) - end.length);
      assert.equal(sum, sha256(Buffer.concat([arrived, Buffer.from(end)])), `${size} bytes`);
      again.type('exit\n');
      await again.closed;
      client.socket.terminate();
    }
  });

  it('that nothing reads end with their container', { timeout: 120_000 }, async () => {
    const own = await create();
    const client = await open(v1, '', own).ready();
    const engines = docker.getContainer(server.config.engine.namePrefix + own.name);
    // The SSH server of this connection no longer reads, so the engine does not either.
    client.type('sudo pkill -STOP sshd\n');
    await until(async () => {
      const { Processes } = await engines.top({ ps_args: '-eo pid,stat,comm' });
      const servers: string[][] = Processes.filter((process: string[]) => process[2] === 'sshd');
      return servers.length > 0 && servers.every(([, state]) => state?.startsWith('T'));
    }, 'a server that is stopped');
    paste(client, linesOf(12 * megabyte));
    await until(() => client.socket.bufferedAmount < 12 * megabyte, 'the beginning of the paste');
    await engines.kill();
    assert.deepEqual(await client.closed, { code: 4409, reason: 'The container is not running' });
  });
});
