import { LRUCache } from 'lru-cache';
import { retryAfterSeconds } from '../../values/retry-after.ts';
import type { Keys } from './keys.ts';
import type { PlatformRow } from './platform-store.ts';

export type Request = { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal };
/** Sends requests to platforms, within limits. Its errors have a `problem`. */
export type Fetch = (url: string, request: Request) => Promise<Response>;

export const platformProblems = [
  ...(['address_private', 'address_insecure', 'unreachable', 'timeout', 'no_keys', 'token_refused'] as const),
  ...(['no_deployment', 'no_origin'] as const),
];
/** Why no launch of a platform can succeed, for administrators. */
export type PlatformProblem = (typeof platformProblems)[number];

/** A platform has refused an access token, or its answer is none. */
export class PlatformRefusedError extends Error {
  /** The status of its answer. */
  readonly status: number;
  /** Seconds before which it does not want to be asked again; at most a day. */
  readonly retryAfter: number;

  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean;

  /** @param message for administrators, without anything that the platform has sent */
  constructor({ status, headers }: Response, message: string) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfterSeconds(headers.get('retry-after'));
    // Canvas has limited its clients with 403 before 429.
    const isLimited = status === 429 || (status === 403 && Number(headers.get('x-rate-limit-remaining') ?? 1) <= 0);
    this.isTemporary = status >= 500 || isLimited;
  }
}

/** There is no access token: nothing can be sent to the platform until an administrator has changed something, here or there. */
export class NoTokenError extends PlatformRefusedError {}

/** Seconds before its end at which a token is not used any more. */
const reserve = 60;

/** Requests to the services of platforms, with access tokens that this service signs for. */
export class PlatformAccess {
  readonly #keys: Keys;
  readonly #fetch: Fetch;
  readonly #tokens = new LRUCache<string, string>({ max: 200 });

  constructor(keys: Keys, fetch: Fetch) {
    this.#keys = keys;
    this.#fetch = fetch;
  }

  /** @throws NoTokenError; whatever `fetch` throws */
  async accessToken(platform: PlatformRow, scopes: readonly string[], { isFresh = false } = {}): Promise<string> {
    const key = keyOf(platform, scopes);
    const known = isFresh ? undefined : this.#tokens.get(key);
    if (known !== undefined) return known;
    const { client_id, token_url, token_audience } = platform;
    const answer = await this.#fetch(token_url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await this.#keys.sign({ iss: client_id, sub: client_id, aud: token_audience ?? token_url }),
        scope: [...scopes].sort().join(' '),
      }),
    });
    const body = (await answer.json().catch(() => ({}))) as { access_token?: unknown; expires_in?: unknown };
    if (!answer.ok || typeof body.access_token !== 'string')
      throw new NoTokenError(answer, `no access token: status ${answer.status}`);
    const seconds = Number(body.expires_in ?? 0) - reserve;
    if (seconds > 0) this.#tokens.set(key, body.access_token, { ttl: seconds * 1000 });
    return body.access_token;
  }

  /**
   * A request with an access token for the scopes. A token that the platform does not know any more is replaced once.
   * @returns the answer, also a refusal @throws NoTokenError; whatever `fetch` throws
   */
  async request(platform: PlatformRow, scopes: readonly string[], url: string, request: Request): Promise<Response> {
    const send = async (): Promise<Response> => {
      const token = await this.accessToken(platform, scopes);
      return await this.#fetch(url, { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
    };
    const answer = await send();
    if (answer.status !== 401 || !this.#tokens.delete(keyOf(platform, scopes))) return answer;
    return await send();
  }
}

const keyOf = ({ id, client_id, token_url, token_audience }: PlatformRow, scopes: readonly string[]): string =>
  JSON.stringify([id, client_id, token_url, token_audience, [...scopes].sort()]);
