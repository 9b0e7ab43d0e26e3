import { randomInt } from 'node:crypto';

/** Capital letters and digits without the look-alikes (0 and O, 1 and I and L). */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** 59 bits cannot be guessed at any rate that the throttle allows. */
const codeLength = 12;

/** A random code that a person can read out and type. */
export const newCode = (): string =>
  Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A code as it is stored. Users may type it in lower case, with spaces and with hyphens. */
export const normalCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();
