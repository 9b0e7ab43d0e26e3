import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { BadRequestError, UnavailableError } from '../../errors.ts';
import type { IdentityStore } from '../identity-providers/identity-store.ts';
import type { KeyParts } from './keys.ts';
import type { Fetch } from './platform-access.ts';
import type { PlatformStore } from './platform-store.ts';
import { membersScope } from './platforms.ts';

export type RegistrationParts = {
  store: PlatformStore;
  identities: Pick<IdentityStore, 'spendState'>;
  fetch: Fetch;
  seal: KeyParts['seal'];
  /** With the service's secret key. */
  hash: (text: string) => string;
};

const linkMs = 60 * 60_000;
const place = 'a registration of an LTI platform';
const Url = Type.String({ maxLength: 1000, pattern: '^https?://[^\\s/?#]+[^\\s#]*$' });
const Description = Type.Object({
  issuer: Type.String({ minLength: 1, maxLength: 500 }),
  authorization_endpoint: Url,
  token_endpoint: Url,
  jwks_uri: Url,
  registration_endpoint: Url,
});
const toolClaim = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const platformClaim = 'https://purl.imsglobal.org/spec/lti-platform-configuration';
/** Of Canvas, whose logins and whose pages are at different hosts. */
const accountDomain = 'https://canvas.instructure.com/lti/account_domain';
const Registered = Type.Object({
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  deployment_id: Type.Optional(Type.Unknown()),
});
const scopes = [
  membersScope,
  ...['lineitem', 'score', 'result.readonly'].map((name) => `https://purl.imsglobal.org/spec/lti-ags/scope/${name}`),
];

/** Platforms that register themselves, with a link that an administrator has made for one of them. */
export class RegistrationService {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /** What the link of an administrator carries. It works once, for an hour. */
  open(): { key: string; expires_at: Date } {
    const expires_at = new Date(Date.now() + linkMs);
    const content = JSON.stringify({ id: randomUUID(), until: expires_at.getTime() });
    return { key: this.#parts.seal.seal(content, place).toString('base64url'), expires_at };
  }

  /**
   * Registers this service at a platform. It is not active until an administrator has looked at it.
   * @returns the origins whose pages may show the answer
   * @throws BadRequestError for a link that is over or for a platform that does not register; ConflictError, UnavailableError
   */
  async register(
    given: { key: string; openid_configuration: string; registration_token?: string | undefined },
    tool: { origin: string; name: string },
  ): Promise<string[]> {
    const { identities, seal, hash, store } = this.#parts;
    const text = seal.open(Buffer.from(given.key, 'base64url'), place);
    const link = text === undefined ? undefined : (JSON.parse(text) as { id: string; until: number });
    if (!link || link.until <= Date.now()) throw over();
    const { registration_token: token } = given;
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // Canvas describes itself only to who has the token.
    const found = await this.#json(given.openid_configuration, { headers: authorization });
    if (!Check(Description, found)) throw refused('The platform does not describe itself');
    if (!(await identities.spendState(hash(`LTI registration ${link.id}`), new Date(link.until)))) throw over();
    const platform = partOf(found, platformClaim);
    const answer = await this.#json(found.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...authorization },
      body: JSON.stringify(toolOf(tool, placementsOf(platform))),
    });
    if (!Check(Registered, answer)) throw refused('The platform has refused the registration');
    const { deployment_id: deployment = partOf(answer, toolClaim)['deployment_id'] } = answer;
    const { product_family_code: product, [accountDomain]: domain } = platform;
    const { issuer, authorization_endpoint: authorization_url, token_endpoint: token_url, jwks_uri: jwks_url } = found;
    const { protocol, host } = new URL(authorization_url);
    const pages = [authorization_url, issuer, ...(typeof domain === 'string' ? [`${protocol}//${domain}`] : [])];
    const origins = pages
      .filter((url) => URL.canParse(url))
      .map((url) => new URL(url).origin)
      .filter(isOrigin);
    const of = typeof product === 'string' ? ` (${product.slice(0, 50)})` : '';
    await store.create(null, {
      ...{ issuer, client_id: answer.client_id, authorization_url, token_url, jwks_url, token_audience: null },
      name: `${host}${of}`.slice(0, 200).toWellFormed(),
      deployment_ids: isId(deployment) ? [String(deployment)] : [],
      origins: [...new Set(origins)],
      ...{ is_active: false, is_linking_by_email: false, makes_instructors: false },
    });
    return [...new Set(origins)];
  }

  async #json(url: string, request: Parameters<Fetch>[1]): Promise<unknown> {
    if (!URL.canParse(url)) throw refused('The platform has no such address');
    let answer: Response;
    try {
      answer = await this.#parts.fetch(url, request);
    } catch (error) {
      if (error instanceof Error && 'problem' in error)
        throw new UnavailableError('unavailable', `The platform cannot be asked: ${String(error.problem)}`, {
          retryAfter: 10,
        });
      throw error;
    }
    return answer.ok ? await answer.json().catch(() => undefined) : undefined;
  }
}

type Fields = Record<string, unknown>;
const partOf = (of: object, name: string): Fields => ((of as Fields)[name] ?? {}) as Fields;

/** Where teachers choose content, by the names of Moodle and of Canvas; those that the platform has. */
function placementsOf({ messages_supported: messages }: Fields): string[] {
  const known = Array.isArray(messages) ? (messages as { type?: unknown; placements?: unknown }[]) : [];
  const placements = known.find((message) => message?.type === 'LtiDeepLinkingRequest')?.placements;
  const offered: unknown[] = Array.isArray(placements) ? placements : [];
  return ['ContentArea', 'link_selection', 'assignment_selection'].filter((name) => offered.includes(name));
}

/** The form that an administrator can give: anything else, such as `https://*` or a semicolon, says more in a policy. */
const isOrigin = (origin: string): boolean => /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin);
const isId = (value: unknown): boolean =>
  (typeof value === 'string' && value.length >= 1 && value.length <= 255) || typeof value === 'number';
const refused = (detail: string) => new BadRequestError('bad_request', detail);
const over = () => refused('This link has been used, or is over. An administrator can make another one');

/** How this service describes itself to a platform. */
function toolOf({ origin, name }: { origin: string; name: string }, placements: readonly string[]) {
  const launch = `${origin}/api/lti/launch`;
  const message = (type: string) => ({ type, target_link_uri: launch, label: name });
  return {
    ...{ application_type: 'web', response_types: ['id_token'], grant_types: ['implicit', 'client_credentials'] },
    ...{ initiate_login_uri: `${origin}/api/lti/login`, redirect_uris: [launch], jwks_uri: `${origin}/api/lti/keys` },
    ...{ client_name: name, token_endpoint_auth_method: 'private_key_jwt', scope: scopes.join(' ') },
    [toolClaim]: {
      ...{ domain: new URL(origin).host, target_link_uri: launch },
      claims: ['iss', 'sub', 'name', 'given_name', 'family_name', 'email'],
      messages: [
        message('LtiResourceLinkRequest'),
        { ...message('LtiDeepLinkingRequest'), ...(placements.length > 0 && { placements }) },
      ],
      // Without it Canvas sends neither names nor addresses.
      'https://canvas.instructure.com/lti/privacy_level': 'public',
    },
  };
}
