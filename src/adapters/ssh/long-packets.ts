import { type CipherGCMTypes, createDecipheriv, type DecipherGCM } from 'node:crypto';
import type { Client } from 'ssh2';

/**
 * The longest accepted packet, in bytes. OpenSSH's server gives a session a window of 2 MiB (`CHAN_SES_WINDOW_DEFAULT`, 64 times 32
 * KiB), so it never holds more input. The rest is for the packet's own fields and padding.
 */
export const longestPacket = 2 * 1024 * 1024 + 1024;

/** AES-GCM in SSH (RFC 5647): an authenticated but unencrypted length, whole blocks, a tag. */
const [lengthBytes, blockBytes, tagBytes] = [4, 16, 16];

/** The state of ssh2 1.17 for the packet that is being received: the GCM deciphers in its lib/protocol/crypto.js. */
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
 * Lets a client accept packets up to `longestPacket`. ssh2 closes the connection on a packet over 35,000 bytes, the minimum that
 * RFC 4253 (6.1) requires, and has no option for it. OpenSSH's server sends longer ones. While a terminal is in canonical mode
 * without echo (`stty -echo`, a password prompt), it answers input with an SSH_MSG_IGNORE of the length of all input that the
 * terminal accepted at once (`channel_handle_wfd`: "Simulate echo to reduce the impact of traffic analysis"). For a large paste
 * this is all buffered input, which depends on timing.
 * Call it between `connect` and the first byte: each key exchange gives the connection another decipher.
 */
export function acceptLongPackets(client: Client): void {
  const protocol = (client as unknown as { _protocol: { _decipher: unknown } })._protocol;
  let current = protocol._decipher;
  Object.defineProperty(protocol, '_decipher', {
    get: () => current,
    set: (decipher: unknown) => {
      current = decipher;
      if (isGcm(decipher)) decipher.decrypt = decryptLong(decipher);
    },
  });
}

/** The decipher before the first key exchange decrypts nothing and keeps its own limit. */
const isGcm = (decipher: unknown): decipher is Decipher =>
  typeof decipher === 'object' && decipher !== null && '_lenBytes' in decipher && '_tagPos' in decipher;

/** Parses the lengths with our own limit, and leaves the rest of each packet to ssh2. */
function decryptLong(decipher: Decipher): Decrypt {
  const decryptRest = decipher.decrypt.bind(decipher);
  return (data, start, end) => {
    let offset = start;
    while (offset < end) {
      if (decipher._lenBytes < lengthBytes) {
        decipher._len = decipher._len * 256 + (data[offset] ?? 0);
        decipher._lenBytes += 1;
        offset += 1;
        if (decipher._lenBytes === lengthBytes) begin(decipher);
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

/** The step of ssh2 after it has read a length. */
function begin(decipher: Decipher): void {
  const { _len: length } = decipher;
  if (length > longestPacket || length < blockBytes || length % blockBytes !== 0) throw new Error('Bad packet length');
  if (decipher._decipherSSLName === undefined) return;
  const { _decipherSSLName: name, _decipherKey: key, _decipherIV: iv } = decipher;
  const authenticated = Buffer.alloc(lengthBytes);
  authenticated.writeUInt32BE(length);
  decipher._decipherInstance = createDecipheriv(name, key, iv).setAutoPadding(false).setAAD(authenticated);
}
