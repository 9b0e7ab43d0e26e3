import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { isPublicAddress, outsideFetch } from './outside-fetch.ts';

const usual = { allowsPrivate: true, maxBytes: 100, timeoutMs: 60_000 };

describe('a request outside', () => {
  let url = '';
  const server = createServer((request, response) => {
    if (request.url === '/slow') return;
    if (request.url === '/upgrade')
      return void request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    if (request.url === '/moved') response.writeHead(302, { location: '/' });
    response.end(request.url === '/long' ? 'x'.repeat(101) : `${request.method} ${request.headers['x-name'] ?? ''}`);
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is sent, and its answer is read without following it', async () => {
    const fetch = outsideFetch(usual);
    const answer = await fetch(`${url}/`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
      headers: { 'x-name': 'n' },
    });
    assert.deepEqual([answer.status, await answer.text()], [200, 'POST n']);
    assert.equal((await fetch(`${url}/moved`)).status, 302);
  });

  it('ends after its bytes and its time', async () => {
    await assert.rejects(outsideFetch(usual)(`${url}/long`), { problem: 'too_large' });
    await assert.rejects(outsideFetch({ ...usual, timeoutMs: 50 })(`${url}/slow`), { problem: 'timeout' });
    await assert.rejects(outsideFetch(usual)('http://127.0.0.1:1/'), { problem: 'unreachable' });
    await assert.rejects(outsideFetch(usual)(`${url}/upgrade`), { problem: 'unreachable' });
  });

  it('reaches no private address, by whatever name, and uses TLS', async () => {
    const fetch = outsideFetch({ ...usual, allowsPrivate: false });
    await assert.rejects(fetch(`${url}/`), { problem: 'insecure' });
    const { port } = new URL(url);
    // A name is looked up when the request connects.
    for (const host of [
      'localhost',
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
    ])
      await assert.rejects(fetch(`https://${host}:${port}/`), { problem: 'private' }, host);
  });

  it('reaches no link-local address, where private ones are allowed as well', async () => {
    for (const host of [
      ...['169.254.169.254', '[::ffff:169.254.169.254]', '[fe80::1]', '[64:ff9b::a9fe:a9fe]'],
      ...['100.100.100.200', '168.63.129.16', '[fd00:ec2::254]'],
    ])
      await assert.rejects(outsideFetch(usual)(`http://${host}/`), { problem: 'private' }, host);
  });

  it('knows public addresses', () => {
    const addresses = [
      '8.8.8.8',
      '2606:4700::1111',
      '10.1.2.3',
      '100.64.0.1',
      '192.168.1.1',
      '::1',
      'fe80::1',
      'fd00::1',
    ];
    const more = ['::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', '224.0.0.1', '255.255.255.255', '0.0.0.0'];
    assert.deepEqual([...addresses, ...more].filter(isPublicAddress), ['8.8.8.8', '2606:4700::1111']);
  });
});
