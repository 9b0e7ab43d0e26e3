import {
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type DecipherGCM,
  randomFillSync,
} from 'node:crypto';
import type { Client } from 'ssh2';

/**
 * The longest accepted packet, in bytes. OpenSSH's server gives a session a window of 2 MiB (`CHAN_SES_WINDOW_DEFAULT`, 64 times 32
 * KiB), so it never holds more input. The rest is for the packet's own fields and padding.
 */
export const longestPacket = 2 * 1024 * 1024 + 1024;

/** AES-GCM in SSH (RFC 5647): an authenticated but unencrypted length, whole blocks, a tag. */
const [lengthBytes, blockBytes, tagBytes, minPadding] = [4, 16, 16, 4];

/** The state of ssh2 1.17 for the packets that are sent: `AESGCMCipherNative` in its lib/protocol/crypto.js. */
type Cipher = {
  _encSSLName: CipherGCMTypes;
  _encKey: Buffer;
  _encIV: Buffer;
  _dead: boolean;
  _onWrite: (bytes: Buffer) => void;
  outSeqno: number;
  allocPacket: (payloadBytes: number) => Buffer;
  encrypt: (packet: Buffer) => void;
};

/** The same for the packet that is being received: the GCM deciphers there. */
type Decipher = {
  _len: number;
  _lenBytes: number;
  _pktLen: number;
  _tagPos: number;
  /** @returns undefined when all is read; otherwise the position where it stopped, because another decipher handles the rest */
  decrypt: Decrypt;
} & (NodeDecipher | { _decipherSSLName?: undefined });
type NodeDecipher = {
  _decipherSSLName: CipherGCMTypes;
  _decipherKey: Buffer;
  _decipherIV: Buffer;
  _decipherInstance: DecipherGCM | null;
};
type Decrypt = (data: Buffer, start: number, end: number) => number | undefined;

/**
 * Changes how a client sends and receives packets. Call it between `connect` and the first byte: each key exchange gives the connection
 * another cipher and decipher.
 *
 * Sent packets: ssh2 writes the length, the content and the tag separately. On a stream of a container engine each write is forwarded by
 * itself, and wakes every process on the way. Here a packet is one write. The random bytes of its padding come from a pool, because Node
 * needs as long for a few as for thousands.
 *
 * Received packets: ssh2 closes the connection on one over 35,000 bytes, the minimum that RFC 4253 (6.1) requires, and has no option for
 * it. OpenSSH's server sends longer ones. While a terminal is in canonical mode without echo (`stty -echo`, a password prompt), it answers
 * input with an SSH_MSG_IGNORE of the length of all input that the terminal accepted at once (`channel_handle_wfd`: "Simulate echo to reduce
 * the impact of traffic analysis"). For a large paste this is all buffered input, which depends on timing.
 *
 * In both directions Node gets a key object: it examines a key of bytes for each packet, which takes longer than the packet.
 */
export function adaptPackets(client: Client): void {
  const protocol = (client as unknown as { _protocol: { _cipher: unknown; _decipher: unknown } })._protocol;
  onAssignment(protocol, '_cipher', (cipher) => {
    if (!isGcmCipher(cipher)) return;
    cipher.allocPacket = allocate;
    cipher.encrypt = encryptWhole(cipher);
  });
  onAssignment(protocol, '_decipher', (decipher) => {
    if (isGcmDecipher(decipher)) decipher.decrypt = decryptLong(decipher);
  });
}

function onAssignment<Name extends string>(object: Record<Name, unknown>, name: Name, adapt: (value: unknown) => void) {
  let current = object[name];
  Object.defineProperty(object, name, {
    get: () => current,
    set: (value: unknown) => {
      current = value;
      adapt(value);
    },
  });
}

/** The cipher before the first key exchange encrypts nothing. */
const isGcmCipher = (cipher: unknown): cipher is Cipher =>
  typeof cipher === 'object' &&
  cipher !== null &&
  '_encSSLName' in cipher &&
  /^aes-\d+-gcm$/.test(String(cipher._encSSLName));

/** The decipher before the first key exchange decrypts nothing and keeps its own limit. */
const isGcmDecipher = (decipher: unknown): decipher is Decipher =>
  typeof decipher === 'object' && decipher !== null && '_lenBytes' in decipher && '_tagPos' in decipher;

const padding = Buffer.alloc(8192);
let paddingUsed = padding.length;

/** A packet with its length and padding: at least four random bytes, up to whole blocks (RFC 4253, 6). */
function allocate(payloadBytes: number): Buffer {
  const rest = blockBytes - ((1 + payloadBytes) % blockBytes);
  const paddingBytes = rest < minPadding ? rest + blockBytes : rest;
  const packet = Buffer.allocUnsafe(lengthBytes + 1 + payloadBytes + paddingBytes);
  packet.writeUInt32BE(1 + payloadBytes + paddingBytes);
  packet[lengthBytes] = paddingBytes;
  if (paddingUsed + paddingBytes > padding.length) {
    randomFillSync(padding);
    paddingUsed = 0;
  }
  padding.copy(packet, lengthBytes + 1 + payloadBytes, paddingUsed, paddingUsed + paddingBytes);
  paddingUsed += paddingBytes;
  return packet;
}

/** @returns a function that encrypts a packet and writes it at once */
function encryptWhole(cipher: Cipher): (packet: Buffer) => void {
  const { _encSSLName: name, _encIV: iv } = cipher;
  const key = createSecretKey(cipher._encKey);
  return (packet) => {
    if (cipher._dead) return;
    const length = packet.subarray(0, lengthBytes);
    const gcm = createCipheriv(name, key, iv).setAutoPadding(false).setAAD(length);
    const content = gcm.update(packet.subarray(lengthBytes));
    gcm.final();
    increment(iv);
    cipher.outSeqno = (cipher.outSeqno + 1) >>> 0;
    cipher._onWrite(Buffer.concat([length, content, gcm.getAuthTag()]));
  };
}

/** The invocation counter of a nonce: its last eight bytes (RFC 5647, 7.1). */
function increment(iv: Buffer): void {
  iv.writeBigUInt64BE(BigInt.asUintN(64, iv.readBigUInt64BE(4) + 1n), 4);
}

/** Parses the lengths with our own limit, and leaves the rest of each packet to ssh2. */
function decryptLong(decipher: Decipher): Decrypt {
  const decryptRest = decipher.decrypt.bind(decipher);
  const begin = packetBeginning(decipher);
  return (data, start, end) => {
    let offset = start;
    while (offset < end) {
      if (decipher._lenBytes < lengthBytes) {
        decipher._len = decipher._len * 256 + (data[offset] ?? 0);
        decipher._lenBytes += 1;
        offset += 1;
        if (decipher._lenBytes === lengthBytes) begin();
        continue;
      }
      // Only up to the end of this packet: ssh2 must not parse the length of the next one.
      const packetEnd = Math.min(end, offset + decipher._len - decipher._pktLen + tagBytes - decipher._tagPos);
      const stopped = decryptRest(data.subarray(0, packetEnd), offset, packetEnd);
      if (stopped !== undefined) return stopped;
      offset = packetEnd;
    }
    return undefined;
  };
}

/** @returns the step of ssh2 after it has read a length */
function packetBeginning(decipher: Decipher): () => void {
  const key = decipher._decipherSSLName === undefined ? undefined : createSecretKey(decipher._decipherKey);
  const authenticated = Buffer.alloc(lengthBytes);
  return () => {
    const { _len: length } = decipher;
    if (length > longestPacket || length < blockBytes || length % blockBytes !== 0)
      throw new Error('Bad packet length');
    if (decipher._decipherSSLName === undefined || !key) return;
    const { _decipherSSLName: name, _decipherIV: iv } = decipher;
    authenticated.writeUInt32BE(length);
    decipher._decipherInstance = createDecipheriv(name, key, iv).setAutoPadding(false).setAAD(authenticated);
  };
}
