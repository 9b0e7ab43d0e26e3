import { domainToASCII } from 'node:url';
import type { Static } from 'typebox';
import { ForbiddenError } from '../../../errors.ts';
import { refuseReservedDomain } from '../../../values/email-address.ts';
import type { KnownDeviceStore } from '../known-device-store.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { RegisterBody } from '../schema.ts';
import type { UserRow, UserStore } from '../store.ts';
import { normalCode, type RegistrationCodeStore, wrongCode } from './code-store.ts';

export type Registration = Static<typeof RegisterBody>;
export type RegistrationMode = 'open' | 'domain' | 'code' | 'closed';

export type RegistrationParts = {
  rules: { mode: RegistrationMode; domains: readonly string[] };
  users: UserStore;
  codes: Pick<RegistrationCodeStore, 'isValid'>;
  devices: KnownDeviceStore;
  passwords: Passwords;
  throttle: LoginThrottle;
  /** Whether users with such an address log in through an identity provider only. */
  isLocalLoginOff: (email: string) => Promise<boolean>;
};

/** Self-registration, as far as the configuration allows it. */
export class RegistrationService {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  rules(): { mode: RegistrationMode; domains?: string[] } {
    const { mode, domains } = this.#parts.rules;
    return mode === 'domain' ? { mode, domains: [...domains] } : { mode };
  }

  /**
   * All checks run before the hash, which costs a quarter of a second of processor time.
   * @param network where the request comes from
   * @throws InvalidError for an address at a reserved domain, ForbiddenError where the rules do not allow it, BadRequestError when the username or the e-mail address is taken, TooManyRequestsError,
   * Unavailable
   */
  async register({ code: typed, ...fields }: Registration, network: string): Promise<UserRow> {
    const { users, throttle, devices, passwords } = this.#parts;
    refuseReservedDomain(fields.email);
    if (await this.#parts.isLocalLoginOff(fields.email))
      throw new ForbiddenError('local_login_off', 'Log in through the identity provider of your school');
    const code = await this.#admit(fields.email, typed ?? '', network);
    await throttle.countRegistration(network);
    await users.checkFree(fields.username, fields.email);
    const { password, username, email, full_name = null } = fields;
    const password_hash = await passwords.hash(password, { network, isKnown: false });
    const user = await users.create({ username, email, full_name, password_hash, role: 'student' }, code);
    // A user who registers knows the password, as after a login.
    await devices.remember(user.id, network);
    return user;
  }

  /** @returns the code to use, where one is required @throws ForbiddenError, TooManyRequestsError after repeated wrong codes */
  async #admit(email: string, typed: string, network: string): Promise<string | undefined> {
    const { rules, codes, throttle } = this.#parts;
    if (rules.mode === 'closed')
      throw new ForbiddenError('registration_closed', 'Registration is closed; ask an administrator for an account');
    if (rules.mode === 'domain' && !rules.domains.includes(domainOf(email)))
      throw new ForbiddenError(
        'registration_domain',
        `Registration requires an e-mail address of ${rules.domains.join(' or ')}`,
      );
    if (rules.mode !== 'code') return undefined;
    const code = normalCode(typed);
    if (code === '') throw new ForbiddenError('registration_code_missing', 'Registration requires a registration code');
    await throttle.checkCode('registration_codes', network);
    if (!(await codes.isValid(code))) {
      await throttle.recordWrongCode('registration_codes', network);
      throw wrongCode();
    }
    // Again: of a burst, all may have passed the first check.
    await throttle.checkCode('registration_codes', network);
    return code;
  }
}

/** The domain as in the configuration: in lower case and ASCII, in whatever script it was typed. */
export const domainOf = (email: string): string => domainToASCII(email.slice(email.lastIndexOf('@') + 1)).toLowerCase();
