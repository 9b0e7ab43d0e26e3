import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

/** The types of the API: `Schemas['Exam']`. */
export type Schemas = components['schemas'];

/** A personal or service token, or the name and password of a user, with a code where there is a second factor. */
export type Credentials = { token: string } | { username: string; password: string; code?: string };

/** What the service refused. */
export class Refusal extends Error {
  readonly status: number;
  /** The stable word to decide by; /api/docs/errors explains each. Undefined where a proxy has answered. */
  readonly code: Schemas['ErrorCode'] | undefined;
  /** Seconds after which to try again, where the service says it. */
  readonly retryAfter: number | undefined;

  constructor({ status, statusText, headers }: Response, body: unknown) {
    const { detail = statusText } = (typeof body === 'object' && body !== null ? body : {}) as { detail?: unknown };
    super(typeof detail === 'string' ? detail : JSON.stringify(detail));
    this.name = 'Refusal';
    this.status = status;
    this.code = (headers.get('Error-Code') ?? undefined) as Schemas['ErrorCode'] | undefined;
    const wait = headers.get('Retry-After') ?? '';
    // Seconds, or the time of the opening of an exam.
    const seconds = /^\d+$/.test(wait) ? Number(wait) : Math.ceil((Date.parse(wait) - Date.now()) / 1000);
    this.retryAfter = Math.max(0, seconds) || undefined;
  }
}

/**
 * All operations of a service, typed: `(await connect(address, { token })).GET('/api/exams')`. A user who is logged in by password is logged
 * in again when the token has expired, unless that needs another code.
 * @param address for example `https://school.example.com`
 * @throws Refusal for a wrong password, or a missing or wrong code
 */
export async function connect(address: string, credentials?: Credentials): Promise<Client<paths>> {
  const tokenOf = async (known: Credentials): Promise<string> => {
    if ('token' in known) return known.token;
    const { access_token } = await answer(
      createClient<paths>({ baseUrl: address }).POST('/api/auth/login', { body: known }),
    );
    return access_token;
  };
  let token = credentials && (await tokenOf(credentials));
  const send = async (request: Request): Promise<Response> => {
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
    return await fetch(request);
  };
  return createClient<paths>({
    baseUrl: address,
    fetch: async (request) => {
      const again = request.clone();
      const response = await send(request);
      if (response.status !== 401 || !credentials || 'token' in credentials) return response;
      token = await tokenOf(credentials);
      return await send(again);
    },
  });
}

/**
 * The content of an answer: `await answer(api.GET('/api/exams'))`.
 * @throws Refusal if the service refuses; TypeError if it cannot be reached
 */
export async function answer<Data>(
  request: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await request;
  if (!response.ok) throw new Refusal(response, error);
  return data as Data;
}
