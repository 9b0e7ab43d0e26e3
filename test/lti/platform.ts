import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  createRemoteJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';

const lti = (name: string): string => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
const deepLinks = (name: string): string => `https://purl.imsglobal.org/spec/lti-dl/claim/${name}`;
const membership = 'http://purl.imsglobal.org/vocab/lis/v2/membership';
export const ltiRoles = {
  learner: `${membership}#Learner`,
  instructor: `${membership}#Instructor`,
  assistant: `${membership}/Instructor#TeachingAssistant`,
};
const ags = 'https://purl.imsglobal.org/spec/lti-ags';
export const ltiScopes = {
  members: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
  lineItems: `${ags}/scope/lineitem`,
  scores: `${ags}/scope/score`,
};
const toolClaim = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const types = {
  members: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
  lineItem: 'application/vnd.ims.lis.v2.lineitem+json',
  lineItems: 'application/vnd.ims.lis.v2.lineitemcontainer+json',
  score: 'application/vnd.ims.lis.v1.score+json',
  form: 'application/x-www-form-urlencoded',
};

type Fields = Record<string, unknown>;
type PlatformPerson = {
  user_id: string;
  name: string;
  email: string;
  roles: string[];
  status?: 'Active' | 'Inactive' | 'Deleted';
};
type Score = { userId: string; scoreGiven?: number; scoreMaximum?: number; timestamp: string; comment?: string } & {
  activityProgress: string;
  gradingProgress: string;
};
type LineItem = { label: string; scoreMaximum: number; resourceLinkId?: string };
/** What a tool tells a platform about itself. */
type Tool = { login: string; redirects: string[]; keys: string };
type Launch = {
  user: PlatformPerson;
  /** Of the link in the course. Undefined: the teacher is to choose content (Deep Linking). */
  link?: string;
  /** Changes the claims last: undefined removes one. */
  claims?: Fields;
  /** Signs, in place of the platform. */
  sign?: (claims: JWTPayload) => Promise<string>;
};
/** What the platform does with the next request to a path in place of answering it. `after`: it does answer, but loses the connection. */
type Failure =
  | { path: RegExp; status: number; headers?: Record<string, string> }
  | { path: RegExp; lost: 'before' | 'after' };
type Request = { method: string; url: URL; headers: IncomingMessage['headers']; text: string };
type Answer = { status: number; body?: unknown; type?: string; headers?: Record<string, string> };

/** A request that the specifications do not allow. */
export class RefusedByPlatform extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
function demand(holds: unknown, message: string, status = 400): asserts holds {
  if (!holds) throw new RefusedByPlatform(status, message);
}

/**
 * A platform of LTI 1.3 with one course, after the specifications of 1EdTech: Core 1.3, Security Framework 1.0, Deep Linking 2.0, Names and Role
 * Provisioning Services 2.0, Assignment and Grade Services 2.0, Dynamic Registration 1.0. It accepts nothing that they do not allow.
 */
export class LtiPlatform implements AsyncDisposable {
  clientId = 'tool-1';
  deploymentId = 'deployment-1';
  readonly context = { id: 'course-1', title: 'Linux', label: 'L1' };
  tool: Tool = { login: '', redirects: [], keys: '' };
  /** Of the course. */
  people: PlatformPerson[] = [];
  pageSize = 10;
  /** By number, which is the end of their addresses. */
  readonly lineItems = new Map<number, LineItem>();
  /** What has come to the book, in the order of arrival. */
  readonly scores: (Score & { lineItem: number })[] = [];
  /** Content that teachers have chosen. */
  readonly chosen: Fields[] = [];
  /** Each fails one request. */
  failures: Failure[] = [];
  /** Refuses the connections of the services while it is true. */
  isDown = false;
  readonly requests: string[] = [];
  grantedScopes: string[] = Object.values(ltiScopes);
  /** Seconds. */
  tokenLifetime = 3600;
  readonly #server: Server;
  #keys: { privateKey: CryptoKey; jwk: JWK }[] = [];
  readonly #launches = new Map<string, Launch>();
  readonly #tokens = new Map<string, { scopes: string[]; until: number }>();
  readonly #registrations = new Set<string>();
  readonly #used = new Set<string>();
  readonly #data = new Set<string>();
  readonly #results = new Map<string, Score>();
  #lastLineItem = 0;

  private constructor() {
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const url = new URL(request.url ?? '/', this.issuer);
      const { method = 'GET', headers } = request;
      this.requests.push(`${method} ${url.pathname}`);
      const index = this.failures.findIndex(({ path }) => path.test(url.pathname));
      const [failure] = index < 0 ? [] : this.failures.splice(index, 1);
      if (this.isDown || (failure && 'lost' in failure && failure.lost === 'before'))
        return void request.socket.destroy();
      const known = { method, url, headers, text: Buffer.concat(parts).toString() };
      const answer: Answer =
        failure && 'status' in failure ? { headers: {}, ...failure } : await this.#answer(known).catch(refusalOf);
      if (failure && 'lost' in failure) return void request.socket.destroy();
      const { status, body, type = 'application/json', headers: more = {} } = answer;
      response.writeHead(status, { 'content-type': type, ...more });
      response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
    };
    this.#server = createServer((request, response) => void serve(request, response));
  }

  static async listen(port = 0): Promise<LtiPlatform> {
    const platform = new LtiPlatform();
    await platform.rotateKey();
    await new Promise<void>((resolve) => platform.#server.listen(port, '127.0.0.1', resolve));
    return platform;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo)?.port}`;
  }

  get addresses() {
    const at = (path: string): string => `${this.issuer}${path}`;
    const course = `/courses/${this.context.id}`;
    return {
      ...{ authorization: at('/auth'), token: at('/token'), keys: at('/keys'), registration: at('/register') },
      ...{ members: at(`${course}/members`), lineItems: at(`${course}/lineitems`), deepLinks: at('/deep-links') },
      configuration: at('/.well-known/openid-configuration'),
    };
  }

  lineItemUrl(id: number): string {
    return `${this.addresses.lineItems}/${id}`;
  }

  /** A column of its book. @returns its number */
  addLineItem(item: LineItem): number {
    this.#lastLineItem += 1;
    this.lineItems.set(this.#lastLineItem, item);
    return this.#lastLineItem;
  }

  /** What the book shows: grades that are final. */
  grade(lineItem: number, userId: string): number | undefined {
    const score = this.#results.get(`${lineItem} ${userId}`);
    return score?.gradingProgress === 'FullyGraded' ? score.scoreGiven : undefined;
  }

  /** Signs with a new key from now on. The one before it stays published. */
  async rotateKey(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' };
    this.#keys = [{ privateKey, jwk }, ...this.#keys.slice(0, 1)];
  }

  /** Forgets all access tokens, as a platform that has been restarted. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** Begins a launch. @returns the parameters with which the browser goes to the tool's login */
  begin(launch: Launch): URLSearchParams {
    const hint = randomUUID();
    this.#launches.set(hint, launch);
    const [target = ''] = this.tool.redirects;
    return new URLSearchParams({
      ...{ iss: this.issuer, login_hint: launch.user.user_id, target_link_uri: target, lti_message_hint: hint },
      ...{ client_id: this.clientId, lti_deployment_id: this.deploymentId },
    });
  }

  /** What the browser posts to the tool after the login at the platform. @throws RefusedByPlatform */
  async authorize(query: URLSearchParams): Promise<{ action: string; fields: { id_token: string; state: string } }> {
    const of = (name: string): string => query.get(name) ?? '';
    demand(of('client_id') === this.clientId, 'client_id');
    const action = of('redirect_uri');
    demand(this.tool.redirects.includes(action), 'redirect_uri');
    const fixed = { scope: 'openid', response_type: 'id_token', response_mode: 'form_post', prompt: 'none' };
    for (const [name, value] of Object.entries(fixed)) demand(of(name) === value, name);
    demand(of('state') !== '' && of('nonce') !== '', 'state or nonce');
    const launch = this.#launches.get(of('lti_message_hint'));
    demand(launch, 'lti_message_hint');
    demand(launch.user.user_id === of('login_hint'), 'login_hint');
    this.#launches.delete(of('lti_message_hint'));
    const id_token = await (launch.sign ?? ((claims) => this.sign(claims)))(this.#claims(launch, of('nonce')));
    return { action, fields: { id_token, state: of('state') } };
  }

  async sign(claims: JWTPayload): Promise<string> {
    const [key] = this.#keys;
    assert.ok(key?.jwk.kid);
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.jwk.kid })
      .sign(key.privateKey);
  }

  /** With what an administrator of the platform sends the browser to the registration of a tool. */
  offerRegistration(): { openid_configuration: string; registration_token: string } {
    const registration_token = randomUUID();
    this.#registrations.add(registration_token);
    return { openid_configuration: this.addresses.configuration, registration_token };
  }

  #claims({ user, link, claims = {} }: Launch, nonce: string): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const data = randomUUID();
    const { lineItems, members: context_memberships_url } = this.addresses;
    const [lineItem, ...others] = [...this.lineItems].filter(([, { resourceLinkId }]) => resourceLinkId === link);
    const isOne = link !== undefined && lineItem && others.length === 0;
    if (link === undefined) this.#data.add(data);
    const settings = { deep_link_return_url: this.addresses.deepLinks, accept_types: ['ltiResourceLink'], data };
    const all: Fields = {
      ...{ iss: this.issuer, aud: this.clientId, sub: user.user_id, nonce, iat: now, exp: now + 60 },
      ...{ name: user.name, email: user.email },
      ...{ [lti('version')]: '1.3.0', [lti('deployment_id')]: this.deploymentId, [lti('roles')]: user.roles },
      [lti('message_type')]: link === undefined ? 'LtiDeepLinkingRequest' : 'LtiResourceLinkRequest',
      ...{ [lti('target_link_uri')]: this.tool.redirects[0], [lti('context')]: this.context },
      ...(link === undefined
        ? { [deepLinks('deep_linking_settings')]: { ...settings, accept_presentation_document_targets: ['window'] } }
        : { [lti('resource_link')]: { id: link } }),
      'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': {
        ...{ context_memberships_url, service_versions: ['2.0'] },
      },
      [`${ags}/claim/endpoint`]: {
        ...{ scope: [ltiScopes.lineItems, ltiScopes.scores], lineitems: lineItems },
        ...(isOne && { lineitem: this.lineItemUrl(lineItem[0]) }),
      },
      ...claims,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }

  async #answer(request: Request): Promise<Answer> {
    const { method, url, text } = request;
    const path = url.pathname;
    if (path === '/keys') return { status: 200, body: { keys: this.#keys.map(({ jwk }) => jwk) } };
    if (path === '/.well-known/openid-configuration') return { status: 200, body: this.#description() };
    if (path === '/auth') {
      const { action, fields } = await this.authorize(method === 'POST' ? new URLSearchParams(text) : url.searchParams);
      const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
      const form = `<form method="post" action="${action}">${inputs.join('')}</form>`;
      return { status: 200, type: 'text/html', body: `${form}<script>document.forms[0].submit()</script>` };
    }
    if (path === '/token' && method === 'POST') return await this.#token(request);
    if (path === '/register' && method === 'POST') return this.#register(request);
    if (path === '/deep-links' && method === 'POST') return await this.#deepLink(request);
    const [, course, service, id, part] = /^\/courses\/([^/]+)\/(\w+)(?:\/(\d+)(?:\/(\w+))?)?$/.exec(path) ?? [];
    demand(course === this.context.id, 'no such address', 404);
    if (service === 'members' && method === 'GET') return this.#members(request);
    demand(service === 'lineitems', 'no such address', 404);
    return this.#grades(request, id === undefined ? undefined : Number(id), part);
  }

  /** Security Framework 4.1: an access token for an assertion that the tool has signed. */
  async #token({ headers, text }: Request): Promise<Answer> {
    demand(headers['content-type']?.startsWith(types.form), 'content type', 415);
    const form = new URLSearchParams(text);
    demand(form.get('grant_type') === 'client_credentials', 'unsupported_grant_type');
    const kind = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    demand(form.get('client_assertion_type') === kind, 'client_assertion_type');
    const { clientId: client } = this;
    const claims = await this.#verified(form.get('client_assertion') ?? '', client, this.addresses.token);
    demand(claims.sub === client && claims.jti !== undefined, 'sub or jti', 401);
    demand((claims.exp ?? 0) <= Date.now() / 1000 + 3600, 'exp', 401);
    this.#once(`jti ${claims.jti}`);
    const scopes = (form.get('scope') ?? '').split(' ').filter((scope) => this.grantedScopes.includes(scope));
    demand(scopes.length > 0, 'invalid_scope');
    const access_token = randomUUID();
    this.#tokens.set(access_token, { scopes, until: Date.now() + this.tokenLifetime * 1000 });
    const body = { access_token, token_type: 'Bearer', expires_in: this.tokenLifetime, scope: scopes.join(' ') };
    return { status: 200, body, headers: { 'cache-control': 'no-store' } };
  }

  #permit({ headers }: Request, scope: string): void {
    const token = this.#tokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '');
    demand(token && token.until > Date.now(), 'access token', 401);
    demand(token.scopes.includes(scope), 'scope', 403);
  }

  #members(request: Request): Answer {
    const { url, headers } = request;
    this.#permit(request, ltiScopes.members);
    demand(headers.accept?.includes(types.members), 'accept', 406);
    const from = Number(url.searchParams.get('from') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit') ?? this.pageSize), this.pageSize);
    const next = new URL(url);
    next.searchParams.set('from', String(from + limit));
    const members = this.people.slice(from, from + limit).map((person) => ({ status: 'Active', ...person }));
    return {
      ...{ status: 200, type: types.members, body: { id: url.href, context: this.context, members } },
      headers: from + limit < this.people.length ? { link: `<${next}>; rel="next"` } : {},
    };
  }

  #grades(request: Request, id: number | undefined, part: string | undefined): Answer {
    const { method, headers, text, url } = request;
    this.#permit(request, part === 'scores' ? ltiScopes.scores : ltiScopes.lineItems);
    const shown = ([number, item]: [number, LineItem]) => ({ id: this.lineItemUrl(number), ...item });
    if (id === undefined && method === 'GET') {
      const link = url.searchParams.get('resource_link_id');
      const found = [...this.lineItems].filter(([, item]) => link === null || item.resourceLinkId === link);
      return { status: 200, type: types.lineItems, body: found.map(shown) };
    }
    const type = part === 'scores' ? types.score : types.lineItem;
    if (method === 'POST') demand(headers['content-type']?.startsWith(type), 'content type', 415);
    if (id === undefined && method === 'POST') {
      const added = this.addLineItem(lineItemOf(text));
      return { status: 201, type, body: shown([added, lineItemOf(text)]) };
    }
    const item = this.lineItems.get(id ?? 0);
    demand(item && id !== undefined, 'no such line item', 404);
    if (part === 'scores' && method === 'POST') return this.#score(id, JSON.parse(text) as Score);
    demand(part === undefined && method === 'GET', 'no such address', 404);
    return { status: 200, type, body: shown([id, item]) };
  }

  /** Assignment and Grade Services 3.4. */
  #score(lineItem: number, score: Score): Answer {
    const { userId, scoreGiven, scoreMaximum, timestamp, activityProgress, gradingProgress } = score;
    const person = this.people.find(({ user_id }) => user_id === userId);
    demand(person, 'no such user', 404);
    const activities = ['Initialized', 'Started', 'InProgress', 'Submitted', 'Completed'];
    demand(activities.includes(activityProgress), 'activityProgress');
    const gradings = ['FullyGraded', 'Pending', 'PendingManual', 'Failed', 'NotReady'];
    demand(gradings.includes(gradingProgress), 'gradingProgress');
    demand(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(timestamp), 'timestamp');
    if (scoreGiven !== undefined)
      demand(scoreGiven >= 0 && typeof scoreMaximum === 'number' && scoreMaximum > 0, 'scoreMaximum');
    const key = `${lineItem} ${userId}`;
    const before = this.#results.get(key);
    demand(!before || Date.parse(before.timestamp) < Date.parse(timestamp), 'the timestamp is not newer', 409);
    this.scores.push({ ...score, lineItem });
    this.#results.set(key, score);
    return { status: 200, body: {} };
  }

  /** Deep Linking 2.0: the browser brings what the teacher has chosen. */
  async #deepLink({ headers, text }: Request): Promise<Answer> {
    demand(headers['content-type']?.startsWith(types.form), 'content type', 415);
    const claims = await this.#verified(new URLSearchParams(text).get('JWT') ?? '', this.clientId, this.issuer);
    demand(typeof claims.nonce === 'string', 'nonce');
    this.#once(`nonce ${claims.nonce}`);
    demand(claims[lti('message_type')] === 'LtiDeepLinkingResponse', 'message_type');
    demand(claims[lti('version')] === '1.3.0', 'version');
    demand(claims[lti('deployment_id')] === this.deploymentId, 'deployment_id');
    demand(this.#data.delete(String(claims[deepLinks('data')])), 'data');
    const items = (claims[deepLinks('content_items')] ?? []) as (Fields & { lineItem?: LineItem })[];
    for (const item of items) {
      demand(item['type'] === 'ltiResourceLink', 'type of the item');
      const resourceLinkId = randomUUID();
      this.chosen.push({ ...item, id: resourceLinkId });
      if (item.lineItem) this.addLineItem({ ...lineItemOf(JSON.stringify(item.lineItem)), resourceLinkId });
    }
    return { status: 200, type: 'text/html', body: '<h1>Back in the course</h1>' };
  }

  /** Dynamic Registration 1.0. A token of a registration works once. */
  #register({ headers, text }: Request): Answer {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    demand(this.#registrations.delete(token), 'registration token', 401);
    const fields = JSON.parse(text) as Fields;
    const has = (name: string, value: string) =>
      demand([fields[name]].flat().includes(value), `invalid_client_metadata: ${name}`);
    has('application_type', 'web');
    has('response_types', 'id_token');
    for (const grant of ['implicit', 'client_credentials']) has('grant_types', grant);
    has('token_endpoint_auth_method', 'private_key_jwt');
    const { initiate_login_uri: login, redirect_uris: redirects, jwks_uri: keys, [toolClaim]: settings } = fields;
    demand(Array.isArray(redirects) && redirects.length > 0, 'redirect_uris');
    const { domain, target_link_uri, claims } = (settings ?? {}) as Fields;
    demand(domain && target_link_uri && Array.isArray(claims), toolClaim);
    this.clientId = randomUUID();
    this.tool = { login: String(login), redirects: redirects as string[], keys: String(keys) };
    const more = { [toolClaim]: { ...(settings as Fields), deployment_id: this.deploymentId } };
    return { status: 200, body: { ...fields, ...more, client_id: this.clientId } };
  }

  #description(): Fields {
    const { authorization, token, keys, registration } = this.addresses;
    return {
      ...{ issuer: this.issuer, authorization_endpoint: authorization, token_endpoint: token, jwks_uri: keys },
      ...{ registration_endpoint: registration, scopes_supported: ['openid', ...this.grantedScopes] },
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256'],
      ...{ response_types_supported: ['id_token'], subject_types_supported: ['public'] },
      ...{ id_token_signing_alg_values_supported: ['RS256'], claims_supported: ['iss', 'sub', 'name', 'email'] },
      'https://purl.imsglobal.org/spec/lti-platform-configuration': {
        ...{ product_family_code: 'counterpart', version: '1' },
        messages_supported: [{ type: 'LtiResourceLinkRequest' }, { type: 'LtiDeepLinkingRequest' }],
      },
    };
  }

  /** The claims of a message that the tool has signed with a key that it publishes. */
  async #verified(token: string, issuer: string, audience: string): Promise<JWTPayload> {
    const options = { issuer, audience, algorithms: ['RS256'], requiredClaims: ['exp', 'iat'], maxTokenAge: 3600 };
    const verified = jwtVerify(token, createRemoteJWKSet(new URL(this.tool.keys)), options);
    return (await verified.catch((error: Error) => Promise.reject(new RefusedByPlatform(401, error.message)))).payload;
  }

  #once(what: string): void {
    demand(!this.#used.has(what), `${what} was used before`, 401);
    this.#used.add(what);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function lineItemOf(text: string): LineItem {
  const item = JSON.parse(text) as LineItem;
  demand(typeof item.label === 'string' && item.label !== '', 'label');
  demand(typeof item.scoreMaximum === 'number' && item.scoreMaximum > 0, 'scoreMaximum');
  return item;
}

function refusalOf(error: unknown): Answer {
  if (error instanceof RefusedByPlatform) return { status: error.status, body: { error: error.message } };
  if (error instanceof SyntaxError) return { status: 400, body: { error: 'no JSON' } };
  throw error;
}
