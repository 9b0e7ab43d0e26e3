import { readFileSync } from 'node:fs';

/** The version from package.json, the only place where it is defined. */
export const serviceVersion: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;
