import { createHmac } from 'node:crypto';

/** A hash that cannot be computed, and so cannot be brute-forced, without the service's secret key. */
export type KeyedHash = (text: string) => string;

/** @param secretKey the same in every process */
export const keyedHash =
  (secretKey: string): KeyedHash =>
  (text) =>
    createHmac('sha256', secretKey).update(text).digest('base64url');
