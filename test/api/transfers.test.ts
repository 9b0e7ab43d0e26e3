import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Answer, engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';

describe('files between users and their containers', { skip: engineSkip }, () => {
  let server: TestServer;
  let user: TestUser;
  let id: number;

  before(async () => {
    server = await TestServer.start({ maxTransferMb: 1 });
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
    user = await server.user();
    const made = await server.post('/api/containers/create', user.token, {});
    assert.equal(made.status, 201, made.text);
    id = made.body.id;
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const address = (path: string, more: Record<string, string> = {}) =>
    `/api/containers/${id}/files?${new URLSearchParams({ path, ...more })}`;
  const upload = (path: string, body: Uint8Array<ArrayBuffer> | string, more: Record<string, string> = {}) =>
    server.request('PUT', address(path, more), {
      token: user.token,
      body,
      headers: { 'content-type': 'application/octet-stream' },
    });
  const download = (path: string, more: Record<string, string> = {}) => server.get(address(path, more), user.token);
  const codeOf = ({ status, code }: Answer) => [status, code];

  /** A shell that has run some commands. */
  async function shellAfter(commands: string): Promise<{ client: TerminalClient; session: string }> {
    const url = `${server.url}/ws/terminal/${id}?token=${user.token}`;
    const client = await new TerminalClient(url, { protocol: 'terminal.v1' }).ready();
    client.type(`${commands}; echo do""ne\n`);
    await client.shows('\rdone\r\n');
    return { client, session: String((await client.message('ready')).session_id) };
  }

  it('are complete however short they are', async () => {
    // The exit status of a short command can arrive with its output.
    for (let count = 0; count < 20; count += 1) {
      const { status, text } = await download('/etc/hostname');
      assert.equal(status, 200, text);
      assert.match(text, /^\S+\n$/);
    }
  });

  it('arrive unchanged in the folder of the shell, with the rights of the student', async () => {
    const { client, session } = await shellAfter('mkdir -p "it\'s \\$a" && cd "it\'s \\$a"');
    const bytes = randomBytes(300_000);
    const stored = await upload('fo$o ü.bin', bytes, { session });
    assert.equal(stored.status, 200, stored.text);
    assert.deepEqual(stored.body, { path: "/home/student/it's $a/fo$o ü.bin", bytes: bytes.length });
    const back = await download('fo$o ü.bin', { session });
    assert.deepEqual(back.bytes, bytes);
    const named = `attachment; filename="fo_o _.bin"; filename*=UTF-8''fo%24o%20%C3%BC.bin`;
    assert.equal(back.headers.get('content-disposition'), named);
    client.type('clear; stat -c "%U %a" fo*; ls -A | wc -l\n');
    await client.shows(/student 644\r\n1\r\n/);
    client.socket.terminate();
    // Without a shell a path begins in the home folder.
    assert.deepEqual((await download("it's $a/fo$o ü.bin")).bytes, bytes);
  });

  it('replace a file only if asked, keep its mode, and follow a link', async () => {
    const { client } = await shellAfter('echo old > script; chmod 750 script; ln -sf script link');
    assert.deepEqual(codeOf(await upload('link', 'new')), [409, 'file_exists']);
    assert.equal((await upload('link', 'new', { is_replacing: 'true' })).body.path, '/home/student/script');
    assert.equal((await download('/home/student/link')).text, 'new');
    client.type('clear; stat -c "%F %a" script link\n');
    await client.shows(/regular file 750\r\nsymbolic link/);
    client.socket.terminate();
  });

  // Long: a table of what a container can have at a path.
  it('are refused where there is no regular file that the student can use', async () => {
    const { client } = await shellAfter(
      'mkdir -p d && mkfifo -m 666 fifo; ln -sf /dev/zero zeros; ln -sf /nowhere/x gone; head -c 1048577 /dev/zero >large; : >locked; chmod 400 locked',
    );
    for (const [path, ...wanted] of [
      ['nothing', 404, 'file_not_found'],
      ['d', 409, 'not_a_file'],
      ['fifo', 409, 'not_a_file'],
      ['/dev/zero', 409, 'not_a_file'],
      ['zeros', 409, 'not_a_file'],
      ['gone', 404, 'file_not_found'],
      ['/etc/shadow', 403, 'file_denied'],
      ['large', 409, 'machine_file_too_large'],
    ])
      assert.deepEqual(codeOf(await download(String(path))), wanted, `download ${path}`);
    for (const [path, ...wanted] of [
      ['nothing/x', 404, 'file_not_found'],
      ['d', 409, 'not_a_file'],
      ['fifo', 409, 'not_a_file'],
      ['/dev/null', 409, 'not_a_file'],
      ['/etc/new', 403, 'file_denied'],
      ['/.grader/new', 403, 'file_denied'],
      ['/etc/passwd', 403, 'file_denied'],
      ['locked', 403, 'file_denied'],
      ['gone', 404, 'file_not_found'],
    ])
      assert.deepEqual(codeOf(await upload(String(path), 'x', { is_replacing: 'true' })), wanted, `upload ${path}`);
    client.socket.terminate();
  });

  it('have a limit, a length, one type, and an owner', async () => {
    const body = new Uint8Array(1024 * 1024 + 1);
    assert.deepEqual(codeOf(await upload('x', body)), [413, 'file_too_large']);
    assert.equal((await upload('x', body.subarray(1))).status, 200);
    const other = await server.user('instructor');
    assert.deepEqual(codeOf(await server.get(address('x'), other.token)), [404, 'not_found']);
    const json = await server.request('PUT', address('x'), { token: user.token, json: {} });
    assert.deepEqual(codeOf(json), [415, 'unsupported_media_type']);
    const chunked = await fetch(server.url + address('y'), {
      method: 'PUT',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/octet-stream' },
      body: new Blob(['x']).stream(),
      duplex: 'half',
    } as RequestInit);
    assert.deepEqual([chunked.status, (await chunked.json()).detail[0].loc], [422, ['header', 'content-length']]);
  });
});
