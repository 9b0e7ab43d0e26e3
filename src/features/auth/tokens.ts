import { createHash, createHmac } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import { UnauthorizedError } from '../../errors.ts';

/** Lifetime of a token in seconds. The API contract fixes it at eight hours. */
export const tokenLifetime = 28_800;

/** Of a login's id. */
const loginForm = /^[\w:-]{1,64}$/;
const subjectForm = /^[1-9]\d{0,9}$/;
const viewForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const maxUserId = 2_147_483_647;

/** What users' tokens for their programs begin with, so that programs which search for leaked secrets find them. */
export const personalPrefix = 'lps_';

const personalForm = /^lps_[\w-]{43}$/;

/** Such a token has 256 random bits, so nobody finds it by its SHA-256. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const header = encode({ alg: 'HS256', typ: 'JWT' });

export type Claims = {
  /** 0 in a personal token and in that of a view: their rows say whose they are. */
  userId: number;
  /** The id of a row of `student_views`. */
  view?: string;
  /** The hash of a personal token, whose row says whose it is. */
  personal?: string;
  /** The id of the login, from `sid`. A token without one is a login of its own, named by its time of issue. */
  login: string;
  /** Milliseconds since 1970, from `iat`, or eight hours before `exp` where a token has no `iat`. */
  issuedAt: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
};

/**
 * Signs and checks HS256 tokens that carry `sub`, `exp`, `iat` and the id of their login as `sid`. Both times are whole seconds. `ms` has
 * the milliseconds of the time of issue, so that a logout distinguishes tokens of the same second.
 */
export class Tokens {
  readonly #secretKey: string;
  readonly #verify: (token: string) => unknown;
  readonly #now: () => number;

  constructor(secretKey: string, now: () => number = Date.now) {
    this.#now = now;
    this.#secretKey = secretKey;
    this.#verify = createVerifier({
      key: secretKey,
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      cache: false,
    });
  }

  issue(userId: number, login: string, issuedAt: Date): string {
    const time = issuedAt.getTime();
    const iat = Math.floor(time / 1000);
    return this.#sign({ sub: String(userId), sid: login, iat, ms: time - iat * 1000, exp: iat + tokenLifetime });
  }

  /** For a view of a student's pages. It has no `sub`, so what does not know views refuses it. */
  issueForView(view: string, expiresAt: Date): string {
    return this.#sign({ view, exp: Math.ceil(expiresAt.getTime() / 1000) });
  }

  #sign(claims: object): string {
    const content = `${header}.${encode(claims)}`;
    // Signed here, because libraries set `iat` themselves.
    return `${content}.${createHmac('sha256', this.#secretKey).update(content).digest('base64url')}`;
  }

  /** @param expiresAt of a token's claims */
  isOver(expiresAt: number): boolean {
    return expiresAt <= this.#now();
  }

  /** @throws UnauthorizedError for any invalid token, always with the same message */
  verify(token: string): Claims {
    if (personalForm.test(token)) {
      const personal = hashOfToken(token);
      return { userId: 0, personal, login: `personal:${personal}`, issuedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER };
    }
    try {
      const { sub: given, sid, iat, ms, exp, view } = this.#verify(token) as Record<string, unknown>;
      if (view !== undefined && given === undefined) return this.#claimsOfView(view, exp);
      // Clients may write the id as a number.
      const sub = typeof given === 'number' ? String(given) : given;
      const isWell =
        view === undefined &&
        typeof sub === 'string' &&
        subjectForm.test(sub) &&
        Number(sub) <= maxUserId &&
        Number.isFinite(exp) &&
        !this.isOver(Number(exp) * 1000);
      if (isWell && (iat === undefined || Number.isFinite(iat))) {
        const second = iat === undefined ? Number(exp) - tokenLifetime : Number(iat);
        const issuedAt =
          Math.round(1000 * second) + (typeof ms === 'number' && ms > 0 && ms < 1000 ? Math.floor(ms) : 0);
        return {
          userId: Number(sub),
          login: typeof sid === 'string' && loginForm.test(sid) ? sid : `issued:${issuedAt}`,
          issuedAt,
          expiresAt: Math.min(Number(exp) * 1000, Number.MAX_SAFE_INTEGER),
        };
      }
    } catch {
      // Malformed, forged, expired or of another algorithm: the caller gets the same error.
    }
    throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
  }

  #claimsOfView(view: unknown, exp: unknown): Claims {
    const expiresAt = Number(exp) * 1000;
    if (typeof view !== 'string' || !viewForm.test(view) || !Number.isFinite(exp) || this.isOver(expiresAt))
      throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
    return { userId: 0, view, login: `view:${view}`, issuedAt: 0, expiresAt };
  }
}
