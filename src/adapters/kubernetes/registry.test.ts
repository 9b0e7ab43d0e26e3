import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, it } from 'node:test';
import { ImagePullError } from '../../ports/container-engine.ts';
import { readImage } from './registry.ts';

type Reply = { status?: number; headers?: Record<string, string>; body?: string };
type Answering = (path: string, request: IncomingMessage) => Reply | undefined;

const credential = { username: 'school', password: 'secret' };
const basic = `Basic ${Buffer.from('school:secret').toString('base64')}`;
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const config = JSON.stringify({
  config: {
    Labels: { 'platform.privileges': 'sudo', 'platform.capabilities': 'SYS_ADMIN' },
    Entrypoint: ['/init'],
    Cmd: ['serve', 7],
    WorkingDir: '/srv',
  },
});
const manifestWith = (size: number, blob = config): string =>
  JSON.stringify({ config: { digest: digestOf(blob) }, layers: [{ size: 1000 }, { size }] });
const manifest = manifestWith(2000);

describe('a registry', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(answer: Answering, address = '127.0.0.1'): Promise<{ host: string; paths: string[] }> {
    const paths: string[] = [];
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      paths.push(request.url ?? '');
      const reply = answer(request.url ?? '', request);
      if (!reply) return;
      response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
    });
    servers.push(server);
    await once(server.listen(0, address), 'listening');
    return { host: `${address}:${(server.address() as AddressInfo).port}`, paths };
  }

  /** Has one image, `school/net:1`. */
  const withImage =
    (text: string, others: Answering = () => undefined): Answering =>
    (path, request) =>
      others(path, request) ??
      ({
        '/v2/school/net/manifests/1': { body: text },
        [`/v2/school/net/manifests/${digestOf(manifest)}`]: { body: manifest },
        [`/v2/school/net/blobs/${digestOf(config)}`]: { body: config },
      }[path] || { status: 404 });

  const read = (host: string, given: Partial<Parameters<typeof readImage>[1]> = {}, name = 'school/net:1') =>
    readImage(`${host}/${name}`, {
      ...{ credential: undefined, signal: AbortSignal.timeout(20_000), plain: [host] },
      ...given,
    });
  const refuses = async (reading: Promise<unknown>, problem: string) =>
    await assert.rejects(reading, (error) => error instanceof ImagePullError && error.problem === problem);

  it('tells the digest of an image, its command and who may be root in it, and no capabilities', async () => {
    const { host } = await listen(withImage(manifest));
    const expected = {
      digest: digestOf(manifest),
      facts: { labels: { 'platform.privileges': 'sudo' }, command: ['/init', 'serve'], folder: '/srv' },
    };
    assert.deepEqual(await read(host), expected);
    assert.deepEqual(await read(host, {}, `school/net:1@${digestOf(manifest)}`), expected);
    await refuses(read(host, {}, 'school/other:1'), 'reference_unknown');
  });

  it('tells the digest of the whole list where an image is for several processors', async () => {
    const own = process.arch === 'x64' ? 'amd64' : process.arch;
    const manifests = [
      { digest: digestOf('attestation'), platform: { os: 'unknown', architecture: 'unknown' } },
      { digest: digestOf('foreign'), platform: { os: 'linux', architecture: 's390x' } },
      { digest: digestOf(manifest), platform: { os: 'linux', architecture: own } },
    ];
    const list = JSON.stringify({ manifests });
    const { host } = await listen(withImage(list));
    assert.equal((await read(host)).digest, digestOf(list));
    const none = await listen(withImage(JSON.stringify({ manifests: manifests.slice(0, 1) })));
    await refuses(read(none.host), 'pull_failed');
  });

  it('gets a token for one repository, and its place of tokens alone gets the credential', async () => {
    const seen: (string | undefined)[] = [];
    const { host, paths } = await listen(
      withImage(manifest, (path, { headers: { host: own, authorization } }) => {
        seen.push(authorization);
        const challenge = `Bearer realm="http://${own}/token",service="school",scope="repository:other:push"`;
        if (path.startsWith('/token')) return { status: authorization === basic ? 200 : 401, body: '{"token":"t"}' };
        return authorization === 'Bearer t' ? undefined : { status: 401, headers: { 'www-authenticate': challenge } };
      }),
    );
    await read(host, { credential });
    assert.deepEqual(seen, [undefined, basic, 'Bearer t', 'Bearer t']);
    assert.equal(paths[1], '/token?service=school&scope=repository%3Aschool%2Fnet%3Apull');
    await refuses(read(host, { credential: { ...credential, password: 'wrong' } }), 'registry_denied');
    await refuses(read(host), 'registry_denied');
  });

  it('that asks for a password gets it once, and only if there is one', async () => {
    const { host, paths } = await listen((_path, { headers }) => ({
      status: headers.authorization === undefined ? 401 : 403,
      headers: { 'www-authenticate': 'Basic realm="registry"' },
    }));
    await refuses(read(host), 'registry_denied');
    assert.equal(paths.length, 1);
    await refuses(read(host, { credential }), 'registry_denied');
    assert.equal(paths.length, 3);
  });

  it('keeps blobs elsewhere, where no credential goes', async () => {
    let authorization: string | undefined = 'none yet';
    const elsewhere = await listen((_path, request) => {
      authorization = request.headers.authorization;
      return { body: config };
    });
    const { host } = await listen(
      withImage(manifest, (path, { headers }) => {
        if (headers.authorization !== basic) return { status: 401, headers: { 'www-authenticate': 'Basic' } };
        if (!path.includes('/blobs/')) return undefined;
        return { status: 307, headers: { location: `http://${elsewhere.host}/blob?signature=x` } };
      }),
    );
    assert.equal((await read(host, { credential })).digest, digestOf(manifest));
    assert.equal(authorization, undefined);
    const endless = await listen(() => ({ status: 307, headers: { location: '/v2/' } }));
    await refuses(read(endless.host), 'pull_failed');
    assert.equal(endless.paths.length, 4);
  });

  it('leads to no other host without TLS, and to none that is no public or private one', async () => {
    let connections = 0;
    const listener = createTcpServer(() => (connections += 1));
    servers.push(listener);
    await once(listener.listen(0, '::'), 'listening');
    const { port } = listener.address() as AddressInfo;
    const targets = [
      ...[`http://localhost:${port}/`, `https://localhost:${port}/`, `https://127.0.0.2:${port}/`],
      ...[`https://[::1]:${port}/`, `https://[::ffff:127.0.0.1]:${port}/`, 'https://169.254.169.254/'],
      ...[`http://127.0.0.2:${port}/`, 'file:///etc/passwd'],
    ];
    for (const location of targets) {
      const redirecting = await listen(() => ({ status: 302, headers: { location } }));
      await refuses(read(redirecting.host), 'pull_failed');
      const asking = await listen(() => ({
        status: 401,
        headers: { 'www-authenticate': `Bearer realm="${location}"` },
      }));
      await refuses(read(asking.host, { credential }), 'pull_failed');
    }
    assert.equal(connections, 0);
  });

  it('is refused where what it sends is not what was asked for, or has no end', async () => {
    const other = `school/net:1@${digestOf('other')}`;
    const answers: [Answering, string, string?][] = [
      [() => ({ body: manifest }), 'pull_failed', other],
      [() => ({ body: 'x'.repeat(5 * 1024 ** 2) }), 'pull_failed'],
      [() => ({ body: '<html>' }), 'pull_failed'],
      [() => ({ body: '{"schemaVersion":1}' }), 'pull_failed'],
      [() => ({ body: JSON.stringify({ config: { digest: '../../../secret' }, layers: [] }) }), 'pull_failed'],
      [() => ({ body: JSON.stringify({ config: {}, layers: [null] }) }), 'pull_failed'],
      [withImage(manifestWith(11 * 1024 ** 3)), 'image_too_large'],
      [() => ({ status: 500 }), 'pull_failed'],
    ];
    for (const [answering, problem, name] of answers)
      await refuses(read((await listen(answering)).host, {}, name), problem);
    const huge = JSON.stringify({ config: { Cmd: ['x'.repeat(100_000)] } });
    const withHuge = manifestWith(1, huge);
    const { host } = await listen((path) => ({ body: path.includes('/blobs/') ? huge : withHuge }));
    await refuses(read(host), 'pull_failed');
  });

  it('that is absent, or has no TLS on another machine, cannot be reached', async () => {
    await refuses(read('127.0.0.1:9'), 'registry_unreachable');
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (own === undefined) return;
    const { host, paths } = await listen(withImage(manifest), own);
    await refuses(read(host), 'registry_unreachable');
    assert.deepEqual(paths, []);
  });

  it('that does not answer is given up with the signal', async () => {
    const stopped = new AbortController();
    const { host } = await listen(() => {
      stopped.abort(new Error('the service stops'));
      return undefined;
    });
    await assert.rejects(read(host, { signal: stopped.signal }), /the service stops/);
  });
});
