import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import type { Client } from 'ssh2';
import { adaptPackets, longestPacket } from './gcm-packets.ts';

const { createCipher, createDecipher, CIPHER_INFO } = createRequire(import.meta.url)('ssh2/lib/protocol/crypto.js');
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

/** The part of an ssh2 client that is given a cipher and a decipher by a key exchange. */
function adaptedProtocol(): { _cipher: unknown; _decipher: unknown } {
  const protocol = { _cipher: undefined, _decipher: undefined };
  adaptPackets({ _protocol: protocol } as unknown as Client);
  return protocol;
}

/** An ssh2 client after its first key exchange, and the payloads that it receives. */
function connected(onPayload: (payload: Buffer) => boolean | undefined = () => undefined) {
  const payloads: Buffer[] = [];
  const protocol = adaptedProtocol();
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

/** The cipher of an ssh2 client after its first key exchange, and what it writes. */
function sending(nonce: Buffer) {
  const written: Buffer[] = [];
  const protocol = adaptedProtocol();
  const cipher = createCipher({
    outbound: {
      seqno: 0,
      cipherInfo: CIPHER_INFO['aes128-gcm@openssh.com'],
      cipherKey: key,
      cipherIV: Buffer.from(nonce),
      macInfo: undefined,
      onWrite: (bytes: Buffer) => written.push(bytes),
    },
  });
  protocol._cipher = cipher;
  const send = (payload: Buffer): void => {
    const packet = cipher.allocPacket(payload.length);
    packet.set(payload, 5);
    cipher.encrypt(packet);
  };
  return { cipher, written, send };
}

/** Decrypts a packet like a server. @throws Error where it was changed */
function decrypt(packet: Buffer, nonce: Buffer): Buffer {
  const end = packet.length - 16;
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAAD(packet.subarray(0, 4));
  decipher.setAuthTag(packet.subarray(end));
  const content = Buffer.concat([decipher.update(packet.subarray(4, end)), decipher.final()]);
  assert.deepEqual([packet.readUInt32BE(0), content.length % 16], [content.length, 0]);
  return content.subarray(1, content.length - (content[0] ?? 0));
}

describe('packets of the client', () => {
  it('are written at once, each with the next nonce', () => {
    // The counter of the third packet is beyond 32 bits.
    const { cipher, written, send } = sending(Buffer.from('a1b2c3d400000000fffffffe', 'hex'));
    const sent = [0, 1, 11, 12, 13, 30_000].map((length) => randomBytes(length));
    for (const payload of sent) send(payload);
    assert.equal(written.length, sent.length);
    for (const [index, payload] of sent.entries()) {
      const nonce = Buffer.from('a1b2c3d40000000000000000', 'hex');
      nonce.writeBigUInt64BE(0xfffffffen + BigInt(index), 4);
      assert.deepEqual(decrypt(written[index] ?? Buffer.alloc(0), nonce), payload);
    }
    assert.equal(cipher.outSeqno, sent.length);
  });

  it('have at least four bytes of padding, up to whole blocks, which are random and never the same', () => {
    const { cipher } = sending(iv);
    const paddings = Array.from({ length: 3000 }, (_, index) => {
      const packet: Buffer = cipher.allocPacket(index % 40);
      const length = packet[4] ?? 0;
      assert.deepEqual([packet.readUInt32BE(0), packet.length % 16], [packet.length - 4, 4]);
      assert.ok(length >= 4 && length < 20, `${length}`);
      assert.equal(packet.length, 5 + (index % 40) + length);
      return packet.subarray(-length).toString('hex');
    });
    const distinct = new Set(paddings.filter((padding) => padding.length >= 16));
    assert.equal(distinct.size, paddings.filter((padding) => padding.length >= 16).length);
  });

  it('have a counter of eight bytes, after whose last value follows zero', () => {
    const { written, send } = sending(Buffer.from('a1b2c3d4ffffffffffffffff', 'hex'));
    for (const text of ['last', 'first']) send(Buffer.from(text));
    const nonce = Buffer.from('a1b2c3d40000000000000000', 'hex');
    assert.equal(decrypt(written[1] ?? Buffer.alloc(0), nonce).toString(), 'first');
  });

  it('end with the connection', () => {
    const { cipher, written, send } = sending(iv);
    cipher.free();
    send(Buffer.from('late'));
    assert.deepEqual(written, []);
  });
});

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
