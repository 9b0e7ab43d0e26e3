import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import type { Client } from 'ssh2';
import { acceptLongPackets, longestPacket } from './long-packets.ts';

const { createDecipher, CIPHER_INFO } = createRequire(import.meta.url)('ssh2/lib/protocol/crypto.js');
const key = randomBytes(16);
const iv = randomBytes(12);

/** Encrypts payloads like a server after the first key exchange: RFC 5647, with OpenSSH's padding. */
function encrypt(payloads: readonly Buffer[]): Buffer {
  const nonce = Buffer.from(iv);
  return Buffer.concat(
    payloads.flatMap((payload) => {
      const padding = 16 - ((payload.length + 1) % 16) + (16 - ((payload.length + 1) % 16) < 4 ? 16 : 0);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(1 + payload.length + padding);
      const cipher = createCipheriv('aes-128-gcm', key, nonce).setAutoPadding(false).setAAD(length);
      const body = cipher.update(Buffer.concat([Buffer.from([padding]), payload, Buffer.alloc(padding)]));
      nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) + 1n, 4);
      return [length, body, cipher.final(), cipher.getAuthTag()];
    }),
  );
}

/** An ssh2 client after its first key exchange, and the payloads that it receives. */
function connected(onPayload: (payload: Buffer) => boolean | undefined = () => undefined) {
  const payloads: Buffer[] = [];
  const protocol = { _decipher: undefined as unknown };
  acceptLongPackets({ _protocol: protocol } as unknown as Client);
  const decipher = createDecipher({
    inbound: {
      seqno: 0,
      decipherInfo: CIPHER_INFO['aes128-gcm@openssh.com'],
      decipherKey: key,
      decipherIV: Buffer.from(iv),
      macInfo: undefined,
      onPayload: (payload: Buffer) => {
        payloads.push(Buffer.from(payload));
        return onPayload(payload);
      },
    },
  });
  protocol._decipher = decipher;
  assert.equal(protocol._decipher, decipher);
  return { payloads, parse: (data: Buffer): number | undefined => decipher.decrypt(data, 0, data.length) };
}

describe('packets of a server', () => {
  const short = [0, 1, 11, 12, 13, 5000, 34_000, 35_000, 36_000, 3];
  const long = [...short, 70_000, 259_600, 546_320, 2 * 1024 * 1024 + 9, 7];
  const pieces = [
    ...[1, 3, 5, 20].map((size) => ({ size, lengths: short })),
    ...[4096, 32_768, 65_536, 8_000_000].map((size) => ({ size, lengths: long })),
  ];
  for (const { size, lengths } of pieces) {
    it(`are read completely at any length, in pieces of ${size} bytes`, () => {
      const sent = lengths.map((length) => randomBytes(length));
      const bytes = encrypt(sent);
      const { payloads, parse } = connected();
      for (let offset = 0; offset < bytes.length; offset += size)
        assert.equal(parse(bytes.subarray(offset, offset + size)), undefined);
      assert.equal(payloads.length, sent.length);
      assert.ok(payloads.every((payload, index) => sent[index]?.equals(payload)));
    });
  }

  it('leave the following bytes to another decipher if a payload requires it', () => {
    const first = encrypt([randomBytes(50_000)]);
    const { payloads, parse } = connected(() => false);
    assert.equal(parse(Buffer.concat([first, randomBytes(1000)])), first.length);
    assert.equal(payloads.length, 1);
  });

  it('are refused if they were changed', () => {
    for (const place of [5, 40_000, 50_000]) {
      const changed = encrypt([randomBytes(50_000)]);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const { payloads, parse } = connected();
      assert.throws(() => parse(changed), /unable to authenticate/);
      assert.equal(payloads.length, 0);
    }
  });

  it('must have a length of whole blocks up to a limit', () => {
    for (const length of [0, 15, 17, 35_001, 2 ** 31 + 16, 2 ** 32 - 16, Math.ceil((longestPacket + 1) / 16) * 16]) {
      const header = Buffer.alloc(4);
      header.writeUInt32BE(length);
      assert.throws(() => connected().parse(header), /Bad packet length/, `${length}`);
    }
  });
});
