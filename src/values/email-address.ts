import { domainToASCII, domainToUnicode } from 'node:url';
import { InvalidError } from '../errors.ts';

/** Special-use top-level domains (IANA's registry after RFC 6761), which have no mailboxes. */
const reservedDomains = new Set([
  'alt', 'arpa', 'example', 'home.arpa', 'internal', 'invalid', 'lan', 'local', 'localdomain', 'localhost', 'onion', 'test',
]); // biome-ignore format: one list

/**
 * The domain of accounts whose address a platform does not tell. No mail is sent there, and nobody proves an address there. The pages know
 * it from web/src/ui/email.tsx.
 */
export const noAddressDomain = 'no-address.invalid';
export const hasNoAddress = (email: string): boolean => email.toLowerCase().endsWith(`@${noAddressDomain}`);

const localForm = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** Checked before `domainToASCII`, which drops line ends and decodes percent signs. */
const domainForm = /^[\p{L}\p{N}\p{M}.-]+$/u;
const labelForm = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/**
 * The problem of an e-mail address (RFC 5321's lengths, RFC 5322's dot-atom, IDNA domains), or undefined. There is no DNS look-up.
 * The wording is that of the `email-validator` package, which clients know from Pydantic. An address at a reserved domain is well formed:
 * networks of schools have such domains, see `refuseReservedDomain`.
 */
export function emailProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'The email address is not valid.';
  const at = value.lastIndexOf('@');
  if (at < 0) return 'An email address must have an @-sign.';
  const local = value.slice(0, at);
  const domain = value.slice(at + 1);
  if (local === '') return 'There must be something before the @-sign.';
  if (domain === '') return 'There must be something after the @-sign.';
  if (value.length > 254 || local.length > 64) return 'The email address is too long.';
  // Other spellings of equal characters would be another account of the same address.
  if (value !== value.normalize('NFKC')) return 'The email address contains characters in an unusual form.';
  if (local.includes('@')) return 'The email address must have exactly one @-sign.';
  if (!localForm.test(local)) return 'The email address contains invalid characters before the @-sign.';
  const ascii = domainForm.test(domain) ? domainToASCII(domain) : '';
  const labels = ascii.split('.');
  if (!labels.every((label) => labelForm.test(label))) return 'The part after the @-sign is not a valid domain.';
  if (labels.length < 2 && !reservedDomains.has(ascii)) {
    return 'The part after the @-sign is not valid. It should have a period.';
  }
  if (/^\d+$/.test(labels.at(-1) ?? ''))
    return 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
  return undefined;
}

/**
 * An address in the one form in which it is stored and looked up: without the space around it that keyboards and lists add, its domain in
 * Unicode, because `ada@xn--mnchen-3ya.de` is `ada@münchen.de`. What is no address stays as it is.
 */
export function canonicalEmail(text: string): string {
  const email = text.trim();
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  // In Unicode it can be longer than a domain may be, and is refused then.
  return at > 0 && /(^|\.)xn--/i.test(domain) && domainForm.test(domain)
    ? email.slice(0, at) + (domainToUnicode(domain) || domain)
    : email;
}

/** In which an address may have been stored before it had one form: the canonical one, and that with its domain in ASCII. */
export function emailForms(canonical: string): [string, string] {
  const at = canonical.lastIndexOf('@') + 1;
  return [canonical, at === 0 ? canonical : canonical.slice(0, at) + domainToASCII(canonical.slice(at))];
}

export const isEmail = (value: string): boolean => emailProblem(value) === undefined;

/**
 * Users who choose their own address cannot choose one at a reserved domain, which no mail reaches from outside. Administrators and imports
 * can: the network of a school may have it.
 * @throws InvalidError with the item of `body.email`
 */
export function refuseReservedDomain(email: string): void {
  const labels = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).split('.');
  if (!labels.some((_, index) => reservedDomains.has(labels.slice(index).join('.')))) return;
  const reason = 'The part after the @-sign is a special-use or reserved name that cannot be used with email.';
  const msg = `value is not a valid email address: ${reason}`;
  throw new InvalidError([{ loc: ['body', 'email'], msg, type: 'value_error' }]);
}
