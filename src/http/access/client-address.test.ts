import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { smallServer } from '../../../test/small-server.ts';
import { addressIn } from './client-address.ts';

const forms: [text: string, address: string | undefined][] = [
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1:51234', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ...['unknown', '_hidden', '', '192.0.2', '192.0.2.1:x', '[192.0.2.1', "'; select 1", '9'.repeat(9000)].map(
    (text): [string, undefined] => [text, undefined],
  ),
];

describe('the address of a client', () => {
  for (const [text, address] of forms)
    it(`is ${address} where a proxy writes ${JSON.stringify(text.slice(0, 30))}`, () =>
      assert.equal(addressIn(text), address));

  it('is that of the connection where the proxy names none', async () => {
    await using server = await smallServer(
      async (app) => {
        app.get('/address', { config: { access: 'public' } }, (request) => request.clientAddress);
      },
      { TRUST_PROXY: 'true' },
    );
    const of = async (forwarded: string): Promise<string> =>
      (await server.app.inject({ url: '/address', headers: { 'x-forwarded-for': forwarded } })).body;
    assert.equal(await of('unknown'), '127.0.0.1');
    assert.equal(await of('203.0.113.9, [2001:db8::7]:443'), '2001:db8::7');
  });
});
