import { createHmac } from 'node:crypto';

/** A hash that nobody can compute, and so nobody can try values on, without the service's secret key. */
export type KeyedHash = (text: string) => string;

/** @param secretKey the same in each process */
export const keyedHash =
  (secretKey: string): KeyedHash =>
  (text) =>
    createHmac('sha256', secretKey).update(text).digest('base64url');
