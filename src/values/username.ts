import { canonicalEmail } from './email-address.ts';

/** Characters of a username. One that is the e-mail address of its account has as many as the address. */
export const usernameLength = { min: 2, max: 64, maxOfAddress: 254 } as const;

/** Letters of any script with their marks, digits, and what the names of people and accounts have between them. */
const form = /^(?!\p{M})[\p{L}\p{M}\p{Nd}_.\-+']+$/u;

/** A character is written with at most four. The time to normalize a text can grow with the square of its length. */
const maxNormalized = 4 * usernameLength.maxOfAddress;

/**
 * A username, or an address in its place, as it is stored and compared: equal characters in one form (NFKC), without the space around it that
 * keyboards and lists add, and with the apostrophe of keyboards for that of texts. A text that is too long for any name stays as it is.
 */
export function normalName(text: string): string {
  if (text.length > maxNormalized) return text;
  const name = canonicalEmail(text.normalize('NFKC'));
  return name.includes('@') ? name : name.replaceAll('’', "'");
}

/** A form of names and addresses that are the same: upper and lower case, and both small sigmas, are equal. */
export const foldName = (text: string): string => normalName(text).toLowerCase().replaceAll('ς', 'σ');

export type UsernameProblem = 'too_long' | 'characters' | 'not_own_address';

/** Such a problem as the type and the text of an item of a 422. */
export const usernameWords: Readonly<Record<UsernameProblem, readonly [type: string, msg: string]>> = {
  too_long: ['string_too_long', `String should have at most ${usernameLength.max} characters`],
  characters: [
    'string_pattern_mismatch',
    'String should have only letters, digits, underscores, dots, hyphens, plus signs and apostrophes',
  ],
  not_own_address: ['value_error', 'Value error, a username with an @ is the e-mail address of its own account'],
};

/**
 * The problem of a username, or undefined. An at sign is only in a name that is the address of the account as a whole, so that nobody's
 * name is the login of somebody else.
 * @param username in its normal form @param email undefined where it is not known
 */
export function usernameProblem(username: string, email: string | undefined): UsernameProblem | undefined {
  if (username.includes('@'))
    // Not with equal characters in one form: that can be the address of somebody else.
    return email === undefined || canonicalEmail(email).toLowerCase() === username.toLowerCase()
      ? undefined
      : 'not_own_address';
  if (Array.from(username).length > usernameLength.max) return 'too_long';
  return form.test(username) ? undefined : 'characters';
}
