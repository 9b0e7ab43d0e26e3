import { randomBytes } from 'node:crypto';
import { ConflictError, ServiceError } from '../../errors.ts';
import { canonicalEmail, emailProblem, hasNoAddress, noAddressDomain } from '../../values/email-address.ts';
import { normalName, usernameLength, usernameProblem } from '../../values/username.ts';
import { proposedUsernames } from '../tables/proposed-usernames.ts';
import { type IdentityStore, IdentityTakenError, type Proven, type Source, type UserRow } from './identity-store.ts';
import { LoginRefusedError, type ProvenClaims } from './openid.ts';
import type { ClaimRule } from './provider-store.ts';

type Role = UserRow['role'];
type Transaction = Parameters<IdentityStore['insert']>[0];
type NewUser = Pick<UserRow, 'username' | 'email' | 'password_hash' | 'role' | 'full_name'>;

/** Who knows the users, and what is believed. */
export type Knower = Source & {
  is_linking_by_email: boolean;
  has_verified_emails: boolean;
  /** An account gets an address that nobody has verified, as by a registration, and is made without one. */
  isUnverifiedEnough?: boolean;
  rules: readonly ClaimRule[];
};

export type AccountParts = {
  store: IdentityStore;
  users: {
    createWith: <T>(
      actorId: null,
      users: readonly NewUser[],
      type: string,
      more: (trx: Transaction, rows: UserRow[]) => Promise<T>,
    ) => Promise<T>;
    taken: (usernames: string[], emails: string[]) => Promise<{ usernames: Set<string> }>;
    update: (actorId: number, id: number, type: string, changes: { role: Role }) => Promise<UserRow | undefined>;
  };
  /** The hash of a user without a password. */
  nobody: () => string;
  /** Drops the cached user after a change. */
  forget: (userId: number) => void;
};

type KnownUser = UserRow & { given_role: Role | null };

/** Somebody else has got the name or the address of a new account meanwhile. */
class NameTakenError extends Error {}

/** At each of them another login has got the name, so that this many concurrent new users of one name get in. */
const maxTries = 20;
const roles = ['student', 'instructor', 'admin'] as const satisfies readonly Role[];

/** The accounts of those whom providers know. */
export class ProviderAccounts {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** The account of a user of a provider, a new one for who has none, with the role and the classes of the rules. @throws LoginRefusedError */
  async of(provider: Knower, claims: ProvenClaims): Promise<UserRow> {
    const { store, forget } = this.#parts;
    const proven = provenOf(provider, claims);
    const user = await this.#found(provider, proven, claims);
    if (!user.is_active) throw new LoginRefusedError('inactive');
    const email = hasNoAddress(user.email) ? addressOf(provider, proven, claims) : null;
    if (email !== null) await store.giveAddress(user, email);
    const given = await this.#giveRole(provider.rules, claims, user);
    const classes = provider.rules.flatMap((rule) => (matches(rule, claims) ? (rule.class_id ?? []) : []));
    const changed = given.role === user.role && email === null ? user : await store.userById(user.id);
    if (!changed) throw new LoginRefusedError('inactive');
    if (provider.of === 'provider_id') await store.followClasses(provider.id, changed, classes);
    await store.record(proven, given.given);
    forget(user.id);
    return changed;
  }

  /** Links a user's own login. @throws LoginRefusedError */
  async link(userId: number, provider: Knower, claims: ProvenClaims): Promise<void> {
    await this.#parts.store.link({ id: userId }, provenOf(provider, claims)).catch((error: unknown) => {
      throw error instanceof IdentityTakenError ? new LoginRefusedError('taken') : error;
    });
  }

  /** The account of a user, or a new one, also where concurrent logins make it, or one with the same name or address. */
  async #found(provider: Knower, proven: Proven, claims: ProvenClaims, tries = maxTries): Promise<KnownUser> {
    try {
      return await this.#known(provider, proven, claims);
    } catch (error) {
      if (error instanceof NameTakenError && tries > 1) return await this.#found(provider, proven, claims, tries - 1);
      const isTaken = error instanceof IdentityTakenError || error instanceof NameTakenError;
      const refusal = isTaken ? new LoginRefusedError('account_exists') : error;
      if (!(refusal instanceof LoginRefusedError) || refusal.refusal !== 'account_exists') throw refusal;
      const known = await this.#parts.store.bySubject(proven);
      if (known) return known;
      throw refusal;
    }
  }

  async #known(provider: Knower, proven: Proven, claims: ProvenClaims): Promise<KnownUser> {
    const { store, nobody, forget } = this.#parts;
    const known = await store.bySubject(proven);
    if (known) return known;
    const email = addressOf(provider, proven, claims);
    if (email === null && !provider.isUnverifiedEnough) throw new LoginRefusedError('unverified_email');
    const owner = email === null ? undefined : await store.byEmail(email);
    if (!owner) return { ...(await this.#create(provider, email, proven, claims)), given_role: null };
    const isProven = proven.proven_email !== null && provider.is_linking_by_email;
    // Whoever has an administrator's address at a provider is not an administrator here.
    if (email === null || !isProven || owner.role === 'admin') throw new LoginRefusedError('account_exists');
    if (!owner.is_active) throw new LoginRefusedError('inactive');
    const linked = await store.linkByEmail(email, proven, nobody());
    if (!linked) throw new LoginRefusedError('account_exists');
    forget(linked.id);
    return { ...linked, given_role: null };
  }

  async #create({ rules }: Knower, given: string | null, proven: Proven, claims: ProvenClaims): Promise<UserRow> {
    const { users, nobody, store } = this.#parts;
    const role = roleOf(rules, claims) ?? 'student';
    const full_name = nameOf(claims);
    const email = given ?? `${randomBytes(8).toString('hex')}@${noAddressDomain}`;
    // Without an address it is made of the name, or is a number of its role.
    const seed = given ?? `${full_name?.replaceAll('@', '-') ?? role}@${noAddressDomain}`;
    const username = await this.#freeName(email, seed, claims);
    try {
      const user = { username, email, full_name, role, password_hash: nobody() };
      return await users.createWith(null, [user], 'provider_register', async (trx, rows) => {
        const [row] = rows as [UserRow];
        await store.insert(trx, row, proven);
        return row;
      });
    } catch (error) {
      throw error instanceof ServiceError && error.status === 400 ? new NameTakenError() : error;
    }
  }

  async #freeName(email: string, seed: string, { preferred_username: preferred }: ProvenClaims): Promise<string> {
    const takenOf = async (names: string[]) => (await this.#parts.users.taken(names, [])).usernames;
    const name = typeof preferred === 'string' ? normalName(preferred) : '';
    const isUsable =
      name.length >= usernameLength.min && !name.includes('@') && usernameProblem(name, email) === undefined;
    if (isUsable && (await takenOf([name])).size === 0) return name;
    const [proposed = ''] = await proposedUsernames([seed], new Set(), takenOf);
    return proposed;
  }

  /** A role that an administrator has given stays; the rules change what they gave themselves, and raise others. */
  async #giveRole(rules: readonly ClaimRule[], claims: ProvenClaims, user: UserRow & { given_role: Role | null }) {
    const wanted = roleOf(rules, claims);
    if (wanted === undefined) return { role: user.role, given: user.given_role };
    const isHigher = roles.indexOf(wanted) > roles.indexOf(user.role);
    if (wanted === user.role || !(user.given_role === null ? isHigher : user.given_role === user.role))
      return { role: user.role, given: user.given_role === null && wanted !== user.role ? null : wanted };
    try {
      await this.#parts.users.update(user.id, user.id, 'provider_role', { role: wanted });
      return { role: wanted, given: wanted };
    } catch (error) {
      if (error instanceof ConflictError) return { role: user.role, given: user.given_role };
      throw error;
    }
  }
}

/** Whether it can stand for somebody: each is another text in the database. */
export const isSubject = (sub: string): boolean =>
  sub !== '' && sub.length <= 255 && sub.isWellFormed() && !/\p{Cc}/u.test(sub);

function provenOf({ of, id, has_verified_emails }: Knower, claims: ProvenClaims): Proven {
  const { sub, email_verified } = claims;
  if (!isSubject(sub)) throw new LoginRefusedError('invalid', 'sub');
  const isProven = email_verified === true || (has_verified_emails && email_verified !== false);
  return { source: { of, id }, subject: sub, proven_email: isProven ? emailOf(claims) : null };
}

/** The address of an account that is made, or that has none. */
const addressOf = ({ isUnverifiedEnough }: Knower, { proven_email }: Proven, claims: ProvenClaims): string | null =>
  proven_email ?? (isUnverifiedEnough ? emailOf(claims) : null);

function emailOf({ email: given }: ProvenClaims): string | null {
  const email = typeof given === 'string' ? canonicalEmail(given) : undefined;
  return email !== undefined && emailProblem(email) === undefined && !hasNoAddress(email) ? email : null;
}

function nameOf({ name, given_name, family_name }: ProvenClaims): string | null {
  const parts = [given_name, family_name].filter((part) => typeof part === 'string');
  const text = typeof name === 'string' && name.trim() !== '' ? name : parts.join(' ');
  const clean = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return Array.from(clean).slice(0, 200).join('').toWellFormed() || null;
}

/** The highest role of the rules that match; undefined where no rule gives one. */
function roleOf(rules: readonly ClaimRule[], claims: ProvenClaims): Role | undefined {
  if (rules.every(({ role }) => role === null)) return undefined;
  const given = rules.filter((rule) => matches(rule, claims)).map(({ role }) => roles.indexOf(role ?? 'student'));
  return roles[Math.max(0, ...given)];
}

/** A claim is named as it is, or by the way to it: `realm_access.roles`. */
function matches({ claim, value }: ClaimRule, claims: ProvenClaims): boolean {
  const isOwn = (of: unknown, name: string): of is Record<string, unknown> =>
    typeof of === 'object' && of !== null && Object.hasOwn(of, name);
  const found = isOwn(claims, claim)
    ? claims[claim]
    : claim.split('.').reduce<unknown>((of, name) => (isOwn(of, name) ? of[name] : undefined), claims);
  return (Array.isArray(found) ? found : [found]).some(
    (one) => ['string', 'number', 'boolean'].includes(typeof one) && String(one) === value,
  );
}
