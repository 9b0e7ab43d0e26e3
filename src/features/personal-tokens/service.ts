import { randomBytes } from 'node:crypto';
import { InvalidError, NotFoundError } from '../../errors.ts';
import { refusedField } from '../../values/coded-problem.ts';
import type { TokenScope } from '../../values/token-scopes.ts';
import { hashOfToken, personalPrefix } from '../auth/tokens.ts';
import type { PersonalTokenRow, PersonalTokenStore, TokenHands } from './store.ts';

const dayMs = 86_400_000;
const defaultDays = 90;
/** A token whose program nobody remembers must not last for ever. */
const mostDays = 366;

/** Tokens that users make for their programs. */
export class PersonalTokenService {
  readonly #store: PersonalTokenStore;

  constructor(store: PersonalTokenStore) {
    this.#store = store;
  }

  list(ownerId: number): Promise<PersonalTokenRow[]> {
    return this.#store.list(ownerId);
  }

  /** @throws InvalidError for an end that has passed or is too far away, ConflictError for too many tokens */
  async create(
    hands: TokenHands,
    { name, scopes, expires_at }: { name: string; scopes: TokenScope[]; expires_at?: string },
  ): Promise<PersonalTokenRow & { token: string }> {
    const end = expires_at === undefined ? Date.now() + defaultDays * dayMs : Date.parse(expires_at);
    if (end <= Date.now() || end > Date.now() + mostDays * dayMs)
      throw new InvalidError([refusedField(['body', 'expires_at'], 'token_end')]);
    const token = `${personalPrefix}${randomBytes(32).toString('base64url')}`;
    const row = await this.#store.create(hands, { name, scopes, hash: hashOfToken(token), expires_at: new Date(end) });
    return { ...row, token };
  }

  /** It is refused from then on. @throws NotFoundError */
  async delete(hands: TokenHands, id: number): Promise<void> {
    if (!(await this.#store.delete(hands, id))) throw new NotFoundError('not_found', 'Token not found');
  }
}
