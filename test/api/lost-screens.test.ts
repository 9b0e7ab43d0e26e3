import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { ScreenPool } from '../../packages/screens/screen-pool.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';

describeLong('a terminal whose screen is lost', { skip: engineSkip }, () => {
  let server: TestServer;
  let user: TestUser;
  let container: number;

  before(async () => {
    // The word HANG in output blocks the screen's thread.
    const screens = new ScreenPool({
      ...{ bufferBytes: 1024 * 1024, scrollback: 100, cells: 250_000, pictureBytes: 2 * 1024 * 1024 },
      ...{ workers: 1, heapMb: 128, silence: 500, log: { warn: () => undefined } },
      script: new URL('../../packages/screens/failing-worker.fixture.ts', import.meta.url),
    });
    server = await TestServer.start({}, { screens }, 1);
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
    user = await server.user();
    container = (await server.post('/api/containers/create', user.token, {})).body.id;
  });
  after(() => server?.[Symbol.asyncDispose]());

  const open = (query = ''): TerminalClient =>
    new TerminalClient(`${server.url}/ws/terminal/${container}?token=${user.token}${query}`, {
      protocol: 'terminal.v1',
    });

  const lost = { type: 'notice', reason: 'screen_lost', seconds_left: null };

  it('keeps its shell and its output, and notifies its clients', async () => {
    const [client, other] = [await open().ready(), await open().ready()];
    client.type("x=kept; echo HA''NG; seq 2000\n");
    assert.deepEqual(await client.message('notice'), lost);
    assert.deepEqual(await other.message('notice'), lost);
    const shown = await client.shows(/\r\n2000\r\n/);
    const numbers = [...shown.matchAll(/^(\d+)\r$/gm)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      Array.from({ length: 2000 }, (_, index) => index + 1),
    );
    client.type('echo $x al""ive\n');
    await client.shows('\rkept alive\r\n');
    const { session_id } = await client.message('ready');
    client.socket.terminate();
    const again = open(`&session=${session_id}`);
    // What was written since.
    await again.shows('kept alive');
    again.type('exit\n');
    assert.equal((await again.closed).code, 1000);
    other.type('echo other al""ive\n');
    await other.shows('other alive\r\n');
    other.socket.terminate();
  });

  it('notifies a client that resumes later', async () => {
    const client = await open().ready();
    const { session_id } = await client.message('ready');
    client.type("sleep 1; echo HA''NG\n");
    await client.shows("HA''NG");
    client.socket.close();
    await client.closed;
    const again = open(`&session=${session_id}`);
    assert.deepEqual(await again.message('notice'), lost);
    again.type('echo al""ive\n');
    await again.shows('alive\r\n');
    again.socket.terminate();
  });
});
