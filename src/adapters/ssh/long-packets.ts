import { type CipherGCMTypes, createDecipheriv, type DecipherGCM } from 'node:crypto';
import type { Client } from 'ssh2';

/**
 * The longest packet that is accepted, in bytes. OpenSSH's server gives a session a window of 2 MiB (`CHAN_SES_WINDOW_DEFAULT`, 64 times
 * 32 KiB): it never holds more of what was typed. The rest is for the packet's own fields and padding.
 */
export const longestPacket = 2 * 1024 * 1024 + 1024;

/** AES-GCM in SSH (RFC 5647): a length that is authenticated and not encrypted, whole blocks, a tag. */
const [lengthBytes, blockBytes, tagBytes] = [4, 16, 16];

/** What ssh2 1.17 keeps of the packet that is arriving: the GCM deciphers in its lib/protocol/crypto.js. */
type Decipher = {
  _len: number;
  _lenBytes: number;
  _pktLen: number;
  _tagPos: number;
  /** @returns undefined once all is read; otherwise where it has stopped, as what follows is for another decipher */
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
 * Lets a client accept packets up to `longestPacket`. ssh2 ends the connection at one over 35,000 bytes, the least that RFC 4253 (6.1) asks
 * for, and has no option for it. OpenSSH's server sends longer ones: while a terminal has its echo off and its lines on (`stty -echo`, a
 * question for a password), it answers what is typed with an SSH_MSG_IGNORE as long as all that the terminal took at once (`channel_handle_wfd`:
 * "Simulate echo to reduce the impact of traffic analysis"). Of a large paste that is as much as has gathered, which is a matter of timing.
 *
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

/** The one before the first key exchange decrypts nothing, and keeps its own limit. */
const isGcm = (decipher: unknown): decipher is Decipher =>
  typeof decipher === 'object' && decipher !== null && '_lenBytes' in decipher && '_tagPos' in decipher;

/** Reads the lengths, with a limit of its own, and leaves the rest of each packet to ssh2. */
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
      // No further than this packet: the next one's length is not for ssh2 to read.
      const packetEnd = Math.min(end, offset + decipher._len - decipher._pktLen + tagBytes - decipher._tagPos);
      const stopped = decryptRest(data.subarray(0, packetEnd), offset, packetEnd);
      if (stopped !== undefined) return stopped;
      offset = packetEnd;
    }
    return undefined;
  };
}

/** What ssh2 does once it has read a length. */
function begin(decipher: Decipher): void {
  const { _len: length } = decipher;
  if (length > longestPacket || length < blockBytes || length % blockBytes !== 0) throw new Error('Bad packet length');
  if (decipher._decipherSSLName === undefined) return;
  const { _decipherSSLName: name, _decipherKey: key, _decipherIV: iv } = decipher;
  const authenticated = Buffer.alloc(lengthBytes);
  authenticated.writeUInt32BE(length);
  decipher._decipherInstance = createDecipheriv(name, key, iv).setAutoPadding(false).setAAD(authenticated);
}
