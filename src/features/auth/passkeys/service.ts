import { randomBytes } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { BadRequestError, ConflictError, ForbiddenError, found, UnauthorizedError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import type { Client } from '../login-store.ts';
import { newRecoveryCodes } from '../second-factor/service.ts';
import type { AuthService, Session } from '../service.ts';
import type { UserRow } from '../store.ts';
import type { ListedPasskey, PasskeyStore } from './store.ts';

export type PasskeyParts = {
  store: PasskeyStore;
  auth: Pick<AuthService, 'enter' | 'forget'>;
  hash: (text: string) => string;
  /** Notes that something was used. @returns false where it was used before */
  spend: (hash: string, expiresAt: Date) => Promise<boolean>;
  hasLocalLogin: (user: UserRow) => Promise<boolean>;
  publicUrl: string | undefined;
};

/** Milliseconds for a user to find a key. */
const lifetime = 300_000;
/** Ed25519, P-256 and RSA with SHA-256, of which every authenticator has one. */
const algorithms = [-8, -7, -257];

/** The address of which passkeys are. @returns undefined where browsers have none: without TLS, but on the machine itself, and for numbers */
export function passkeyPlace(publicUrl: string | undefined): { rpId: string; origin: string } | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure && !/^\[|^[\d.]+$/.test(hostname) ? { rpId: hostname, origin } : undefined;
}

/**
 * Logins with passkeys (WebAuthn). The authenticator asks its user for a PIN or a finger each time, so that one is two factors.
 * A challenge carries its end and a keyed hash for one purpose, so that nothing is stored before an answer was right.
 */
export class PasskeyService {
  readonly #parts: PasskeyParts;
  readonly #place: ReturnType<typeof passkeyPlace>;

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
    this.#place = passkeyPlace(parts.publicUrl);
  }

  async list({ id }: Caller): Promise<ListedPasskey[]> {
    return await this.#parts.store.list(id);
  }

  /** What the browser needs to make a passkey. @throws ConflictError where passkeys are off */
  async beginRegistration({ id, username }: Caller, siteName: string): Promise<object> {
    const { rpId: rpID } = this.#on();
    const known = await this.#parts.store.list(id);
    return await generateRegistrationOptions({
      ...{ rpName: siteName, rpID, userName: username, challenge: this.#challenge(ofUser(id)), timeout: lifetime },
      userID: new Uint8Array(Buffer.from(this.#handle(id))),
      excludeCredentials: known.map(({ credential, transports }) => ({ id: credential, transports })),
      supportedAlgorithmIDs: algorithms,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /**
   * @returns recovery codes, this once, where it is the first second factor
   * @throws BadRequestError for an answer that is not right, ConflictError for one too many or one that is registered
   */
  async register({ id }: Caller, name: string, response: RegistrationResponseJSON) {
    const { rpId, origin } = this.#on();
    const { store, auth, hash } = this.#parts;
    const spend: { done?: () => Promise<boolean> } = {};
    const verified = await attempt(async () => {
      refuseCertificates(response.response.attestationObject);
      return await verifyRegistrationResponse({
        ...{ response, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
        supportedAlgorithmIDs: algorithms,
        expectedChallenge: (challenge) => this.#isOurs(challenge, ofUser(id), spend),
      });
    });
    const { credential } = verified?.registrationInfo ?? {};
    if (!credential || !(await spend.done?.()))
      throw new BadRequestError('invalid_passkey', 'The answer of the passkey is not valid');
    const { codes, hashes } = newRecoveryCodes(id, hash);
    const transports = (credential.transports ?? []).map(String);
    const { id: key, publicKey, counter } = credential;
    const added = await store.add(
      id,
      { credential: key, public_key: Buffer.from(publicKey), counter, transports, name },
      hashes,
    );
    if (!added) throw new ConflictError('passkey_refused', 'The passkey is registered already, or the account has 20');
    auth.forget(id);
    return { ...added.row, recovery_codes: added.isFirst ? codes : [] };
  }

  /** @throws NotFoundError */
  async remove({ id }: Caller, passkeyId: number): Promise<void> {
    found((await this.#parts.store.remove(id, passkeyId)) || undefined, 'Passkey');
    this.#parts.auth.forget(id);
  }

  /** What the browser needs to ask for any passkey of this place. @throws ConflictError where passkeys are off */
  async beginLogin(): Promise<object> {
    const { rpId: rpID } = this.#on();
    return await generateAuthenticationOptions({
      ...{ rpID, challenge: this.#challenge('login'), timeout: lifetime, userVerification: 'required' },
    });
  }

  /** @throws UnauthorizedError for an answer that is not right, ForbiddenError as for a login with a password */
  async login(
    response: AuthenticationResponseJSON,
    network: string,
    { client, hasCookie }: { client: Client; hasCookie: boolean },
  ): Promise<Session> {
    const { rpId, origin } = this.#on();
    const { store, auth, hasLocalLogin } = this.#parts;
    const wrong = () => new UnauthorizedError('wrong_passkey', 'The answer of the passkey is not valid');
    const known = await store.byCredential(response.id);
    const { userHandle } = response.response;
    const handle = known && Buffer.from(this.#handle(known.user.id)).toString('base64url');
    if (!known || (userHandle !== undefined && userHandle !== handle)) throw wrong();
    const { passkey, user } = known;
    const spend: { done?: () => Promise<boolean> } = {};
    const verified = await attempt(() =>
      verifyAuthenticationResponse({
        ...{ response, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
        expectedChallenge: (challenge) => this.#isOurs(challenge, 'login', spend),
        credential: {
          ...{ id: passkey.credential, counter: Number(passkey.counter) },
          publicKey: new Uint8Array(passkey.public_key),
          transports: passkey.transports as AuthenticatorTransport[],
        },
      }),
    );
    if (!verified?.verified || !(await spend.done?.())) throw wrong();
    if (!(await store.recordUse(passkey.id, verified.authenticationInfo.newCounter))) throw wrong();
    if (!(await hasLocalLogin(user)))
      throw new ForbiddenError('local_login_off', 'Log in through the identity provider of your school');
    return await auth.enter(user, network, client, hasCookie);
  }

  #on(): { rpId: string; origin: string } {
    if (this.#place) return this.#place;
    throw new ConflictError('passkeys_off', 'Passkeys need PUBLIC_URL, an address with a name and https');
  }

  /** What authenticators keep of a user. It says nothing to others. */
  #handle(userId: number): string {
    return this.#parts.hash(`passkeys of ${userId}`);
  }

  #challenge(purpose: string): Uint8Array<ArrayBuffer> {
    const start = `${randomBytes(16).toString('base64url')}.${Date.now() + lifetime}`;
    return new Uint8Array(Buffer.from(`${start}.${this.#mark(purpose, start)}`));
  }

  #mark(purpose: string, start: string): string {
    return this.#parts.hash(`passkey challenge ${purpose} ${start}`);
  }

  /** @param spend gets what uses the challenge up, for when the rest of the answer is right as well */
  #isOurs(challenge: string, purpose: string, spend: { done?: () => Promise<boolean> }): boolean {
    const text = Buffer.from(challenge, 'base64url').toString();
    const [nonce = '', end = '', mark] = text.split('.');
    if (mark !== this.#mark(purpose, `${nonce}.${end}`) || Number(end) <= Date.now()) return false;
    spend.done = () => this.#parts.spend(this.#parts.hash(`used passkey challenge ${text}`), new Date(Number(end)));
    return true;
  }
}

const ofUser = (id: number): string => `register ${id}`;

/**
 * None is asked for, and the library would request addresses which certificates name.
 * @throws Error for an attestation with certificates
 */
function refuseCertificates(attestationObject: string): void {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const isPlain = ['none', 'packed'].includes(decoded.get('fmt')) && decoded.get('attStmt').get('x5c') === undefined;
  if (!isPlain) throw new Error('An attestation with certificates');
}

/** The library throws for whatever is not right. */
async function attempt<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
