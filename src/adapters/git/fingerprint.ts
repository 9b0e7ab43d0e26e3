import { createHash } from 'node:crypto';

/** As ssh shows it. @param key in Base64 */
export const fingerprintOf = (key: string): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')}`;
