import { readFileSync } from 'node:fs';

/** Of package.json, the only place where it is written. */
export const serviceVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
