import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The beginning of an Ed25519 key in PKCS #8, and of a public one in SPKI (RFC 8410). The 32 bytes of the key follow. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const spki = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * The key that signs what this installation states. It is derived from the secret key, so every process has it and nothing is stored.
 * @param secretKey the same in every process
 */
export function signingKey(secretKey: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'learning-platform signatures v1', 32));
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
}

/** The public key in base64: the 32 bytes of RFC 8032. */
export function publicKeyText(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return der.subarray(spki.length).toString('base64');
}

/** @returns undefined for anything but a text of `publicKeyText` */
export function publicKeyOf(text: string): KeyObject | undefined {
  const raw = Buffer.from(text, 'base64');
  if (raw.length !== 32) return undefined;
  return createPublicKey({ key: Buffer.concat([spki, raw]), format: 'der', type: 'spki' });
}
