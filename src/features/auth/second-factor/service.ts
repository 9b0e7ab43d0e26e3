import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { BadRequestError, ConflictError, found } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import type { KnownDeviceStore } from '../known-device-store.ts';
import type { Claim, LoginThrottle } from '../limits/throttle.ts';
import type { SecondFactorState, SecondFactorStore } from './store.ts';

export type SecondFactorParts = {
  store: SecondFactorStore;
  seal: { seal: (text: string, place: string) => Buffer; open: (sealed: Buffer, place: string) => string | undefined };
  hash: (text: string) => string;
  throttle: Pick<LoginThrottle, 'check' | 'recordFailure'>;
  devices: Pick<KnownDeviceStore, 'isKnown'>;
  /** Ends what other requests know of a user. */
  forget: (userId: number) => void;
};

/** Seconds by which the clock of a phone may be wrong: the codes of the periods before and after count. */
const tolerance = 30;
const recoveryCodes = 10;
/** Without letters and digits that look alike: 32 of them, so that each is five bits of a random byte. */
const letters = 'abcdefghjkmnpqrstuvwxyz023456789';
const recoveryLength = 16;

/** Second factors of logins: a secret that an app shares (TOTP, RFC 6238), and recovery codes for a lost one. */
export class SecondFactorService {
  readonly #parts: SecondFactorParts;

  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
  }

  async state({ id }: Caller): Promise<SecondFactorState> {
    return await this.#parts.store.state(id);
  }

  /** A new secret, which counts once it is confirmed. @throws ConflictError where one does */
  async begin({ id, username }: Caller, siteName: string): Promise<{ secret: string; uri: string }> {
    const secret = generateSecret();
    if (!(await this.#parts.store.begin(id, this.#parts.seal.seal(secret, placeOf(id)))))
      throw new ConflictError('second_factor_active', 'The account has a second factor already');
    // Apps read what is before a colon as the issuer.
    const issuer = siteName.replaceAll(/\s*:\s*/g, ' ');
    return { secret, uri: generateURI({ issuer, label: username, secret }) };
  }

  /**
   * The app has the secret. Wrong codes count as failed logins.
   * @param network where the request comes from @returns the recovery codes, this once
   * @throws BadRequestError for a wrong code, ConflictError where nothing is begun, TooManyRequestsError
   */
  async confirm({ id }: Caller, code: string, network: string): Promise<string[]> {
    const { store, hash, throttle, devices, forget } = this.#parts;
    const claim: Claim = { network, isKnown: await devices.isKnown(id, network) };
    await throttle.check({ userId: id }, claim);
    const factor = await store.secret(id);
    if (!factor || factor.confirmed_at) throw notBegun();
    const step = this.#stepOf(id, factor.sealed_secret, code);
    if (step === undefined) {
      await throttle.recordFailure({ userId: id }, claim);
      throw new BadRequestError('wrong_code', 'The code is wrong');
    }
    const { codes, hashes } = newRecoveryCodes(id, hash);
    if (!(await store.confirm(id, factor.sealed_secret, step, hashes))) throw notBegun();
    forget(id);
    return codes;
  }

  async hasApp(userId: number): Promise<boolean> {
    return Boolean((await this.#parts.store.secret(userId))?.confirmed_at);
  }

  /** Takes a code of the app, or a recovery code, once. @returns false for a wrong one, and for one that was used */
  async takeCode(userId: number, code: string): Promise<boolean> {
    const { store, hash } = this.#parts;
    const factor = await store.secret(userId);
    const step = factor?.confirmed_at ? this.#stepOf(userId, factor.sealed_secret, code) : undefined;
    if (step !== undefined) return await store.takeStep(userId, step);
    return await store.takeRecoveryCode(userId, hash(recoveryText(userId, code)));
  }

  /** Succeeds where there is none. */
  async remove({ id }: Caller): Promise<void> {
    await this.#parts.store.remove(id, id, 'second_factor_remove', false);
    this.#parts.forget(id);
  }

  /** Removes the app and all passkeys, for a user who has lost them and the recovery codes. @throws NotFoundError */
  async reset(caller: Caller, userId: number): Promise<void> {
    const isDone = await this.#parts.store.remove(caller.id, userId, 'admin_second_factor_reset', true);
    found(isDone || undefined, 'User');
    this.#parts.forget(userId);
  }

  /** The period of a code. @returns undefined for a wrong code, and where the secret was sealed with another key */
  #stepOf(userId: number, sealed: Buffer, code: string): number | undefined {
    const token = code.replaceAll(/\s/g, '');
    const secret = this.#parts.seal.open(sealed, placeOf(userId));
    if (secret === undefined || !/^\d{6}$/.test(token)) return undefined;
    const result = verifySync({ strategy: 'totp', secret, token, epochTolerance: tolerance });
    return result.valid && 'timeStep' in result ? result.timeStep : undefined;
  }
}

const placeOf = (userId: number): string => `second_factors ${userId} sealed_secret`;
const notBegun = () => new ConflictError('second_factor_not_begun', 'No second factor is being set up');

export function newRecoveryCodes(userId: number, hash: (text: string) => string) {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
  return { codes, hashes: codes.map((one) => hash(recoveryText(userId, one))) };
}

/** In groups of four, for people who write it down. */
const newRecoveryCode = (): string =>
  [...randomBytes(recoveryLength)]
    .map((byte) => letters[byte % letters.length])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-');

/** What is hashed of a recovery code. Case, spaces and hyphens are ignored. */
const recoveryText = (userId: number, code: string): string =>
  `recovery code of ${userId} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`;
