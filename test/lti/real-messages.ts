import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { lti, newKey, type SigningKey } from './forging-platform.ts';

const membership = 'http://purl.imsglobal.org/vocab/lis/v2/membership';
const institution = 'http://purl.imsglobal.org/vocab/lis/v2/institution/person';
const settingsClaim = 'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings';
const itemsClaim = 'https://purl.imsglobal.org/spec/lti-dl/claim/content_items';
const membersClaim = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice';
const gradesClaim = 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint';
const toolClaim = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const platformClaim = 'https://purl.imsglobal.org/spec/lti-platform-configuration';
const membersScope = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';
const gradeScopes = ['lineitem', 'lineitem.readonly', 'result.readonly', 'score'].map(
  (name) => `https://purl.imsglobal.org/spec/lti-ags/scope/${name}`,
);

type Fields = Record<string, unknown>;
type Request = { method: string; url: URL; headers: IncomingHttpHeaders; text: string };
type Answer = { status: number; body?: unknown; type?: string; link?: string };
/** Somebody in the course. Without a name and an address: the platform does not tell them. */
export type Person = {
  id: string;
  role: 'student' | 'assistant' | 'instructor';
  given?: string;
  family?: string;
  email?: string;
};
export type Link = { id: string; title: string; custom?: Fields };
type Tool = { login: string; launch: string; keys: string };

const refuse = (status: number, body: unknown = {}): Answer => ({ status, body });
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A platform that sends what Moodle or Canvas really sends, and accepts what they accept. */
export abstract class RealPlatform implements AsyncDisposable {
  readonly #server: Server;
  protected key!: SigningKey;
  people: Person[] = [];
  /** What the book has taken. */
  readonly scores: Fields[] = [];
  readonly #tokens = new Map<string, string[]>();
  tool: Tool = { login: '', launch: '', keys: '' };
  /** What the tool has said of itself. */
  tooled: Fields = {};

  protected constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      const answer = async (): Promise<void> => {
        const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
        const { method = 'GET', headers } = request;
        const given = await this.#answer({ method, url, headers, text: Buffer.concat(parts).toString() });
        const { status, body, type = 'application/json; charset=utf-8', link } = given;
        response.writeHead(status, { 'content-type': type, ...(link === undefined ? {} : { link }) });
        response.end(body === undefined ? '' : JSON.stringify(body));
      };
      request.on('end', () => void answer());
    });
  }

  async start(): Promise<this> {
    this.key = await newKey('2026-11-29T05:00:00Z');
    await new Promise<void>((resolve) => this.#server.listen(0, resolve));
    return this;
  }

  protected at(host: string): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  abstract readonly name: string;
  abstract readonly clientId: string;
  abstract readonly deploymentId: string;
  /** Where it lets teachers choose content of this tool. */
  abstract readonly placements: string[];
  abstract get issuer(): string;
  /** Where the pages of its courses are. */
  abstract get page(): string;
  /** What its administrator's browser adds to the link of a registration. */
  abstract get registration(): { openid_configuration: string; registration_token: string };
  /** What the browser posts to begin a launch. */
  abstract hints(person: Person): Record<string, string>;
  /** What is wrong with the request that follows. */
  abstract problemOf(query: URLSearchParams): string | undefined;
  /** What the browser posts with the message. */
  abstract form(id_token: string, state: string): Record<string, string>;
  abstract launch(person: Person, link: Link): Fields;
  abstract deepLinking(person: Person): Fields;
  /** What it keeps of an item that a teacher has chosen. */
  abstract kept(item: Fields): Link;
  protected abstract respond(request: Request, scopes: readonly string[]): Answer | undefined;
  protected abstract describe(request: Request): Answer;
  protected abstract register(fields: Fields): Answer;
  protected abstract readonly paths: { description: string; registration: string; token: string; keys: string };

  async sign(claims: Fields): Promise<string> {
    return await new SignJWT(claims)
      .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: this.key.kid })
      .sign(this.key.privateKey);
  }

  /** The items of an answer of the tool, which the browser has brought to the address of the message. */
  async itemsOf(message: string): Promise<Fields[]> {
    const claims = await this.#verified(message, this.issuer);
    assert.equal(claims[lti('message_type')], 'LtiDeepLinkingResponse');
    assert.equal(claims[lti('version')], '1.3.0');
    assert.equal(claims[lti('deployment_id')], this.deploymentId);
    return claims[itemsClaim] as Fields[];
  }

  async #verified(token: string, audience: string): Promise<JWTPayload> {
    const options = { issuer: this.clientId, audience, algorithms: ['RS256'], requiredClaims: ['exp', 'iat', 'jti'] };
    return (await jwtVerify(token, createRemoteJWKSet(new URL(this.tool.keys)), options)).payload;
  }

  async #answer(request: Request): Promise<Answer> {
    const { url, headers, text } = request;
    const { description, registration, token, keys } = this.paths;
    if (url.pathname === keys) return { status: 200, body: { keys: [this.key.jwk] } };
    if (url.pathname === description) return this.describe(request);
    const bearer = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (url.pathname === registration) {
      if (bearer !== this.registration.registration_token) return refuse(401);
      const fields = JSON.parse(text) as Fields;
      const [launch] = fields['redirect_uris'] as [string];
      this.tool = { login: String(fields['initiate_login_uri']), launch, keys: String(fields['jwks_uri']) };
      this.tooled = fields[toolClaim] as Fields;
      return this.register(fields);
    }
    if (url.pathname === token) return await this.#token(request);
    const scopes = this.#tokens.get(bearer);
    return scopes === undefined ? refuse(401) : (this.respond(request, scopes) ?? refuse(404));
  }

  async #token({ url, headers, text }: Request): Promise<Answer> {
    const form = new URLSearchParams(text);
    if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return refuse(400);
    await this.#verified(form.get('client_assertion') ?? '', `${url.origin}${url.pathname}`);
    const scopes = (form.get('scope') ?? '').split(' ').filter((one) => [membersScope, ...gradeScopes].includes(one));
    if (scopes.length === 0) return refuse(400, { error: 'invalid_scope' });
    const access_token = randomUUID();
    this.#tokens.set(access_token, scopes);
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 3600, scope: scopes.join(' ') } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);
const isGrade = (score: Fields): boolean =>
  ['userId', 'timestamp', 'activityProgress', 'gradingProgress'].every((name) => typeof score[name] === 'string') &&
  isoTime.test(String(score['timestamp']));

/**
 * Moodle 4.5 below a path. Source: moodle/moodle mod/lti/locallib.php, auth.php, token.php, openid-configuration.php,
 * classes/local/ltiopenid/registration_helper.php, service/memberships, service/gradebookservices.
 */
export class Moodle extends RealPlatform {
  readonly name = 'Moodle';
  readonly clientId = 'Qq5kQqR5lGJVmX4';
  readonly deploymentId = '3';
  readonly placements = ['ContentArea'];
  protected readonly paths = {
    ...{
      description: '/moodle/mod/lti/openid-configuration.php',
      registration: '/moodle/mod/lti/openid-registration.php',
    },
    ...{ token: '/moodle/mod/lti/token.php', keys: '/moodle/mod/lti/certs.php' },
  };
  readonly #times = new Map<string, number>();

  static async start(): Promise<Moodle> {
    return await new Moodle().start();
  }

  get issuer(): string {
    return `${this.at('localhost')}/moodle`;
  }
  get page(): string {
    return this.at('localhost');
  }
  get registration() {
    return {
      openid_configuration: `${this.page}${this.paths.description}`,
      registration_token: 'header.claims.signature',
    };
  }

  hints({ id }: Person): Record<string, string> {
    return {
      ...{ iss: this.issuer, target_link_uri: this.tool.launch, login_hint: id },
      lti_message_hint: '{"cmid":41,"launchid":"ltilaunch12_1834521796"}',
      ...{ client_id: this.clientId, lti_deployment_id: this.deploymentId },
    };
  }

  problemOf(query: URLSearchParams): string | undefined {
    const demanded = { scope: 'openid', response_type: 'id_token', response_mode: 'form_post', prompt: 'none' };
    const all = { ...demanded, client_id: this.clientId, redirect_uri: this.tool.launch };
    const wrong = Object.entries(all).find(([name, value]) => query.get(name) !== value);
    return wrong?.[0] ?? ['login_hint', 'nonce', 'lti_message_hint'].find((name) => !query.get(name));
  }

  form(id_token: string, state: string): Record<string, string> {
    return { id_token, state };
  }

  #claims(person: Person, type: string): Fields {
    const { id, given, family, email } = person;
    const service = `${this.issuer}/mod/lti/services.php`;
    const named = { given_name: given, family_name: family, name: `${given} ${family}` };
    // Who administers the site has its roles as well; a teaching assistant does not exist.
    const admin = [
      `${institution}#Administrator`,
      'http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator',
    ];
    return {
      ...{ iat: seconds(), exp: seconds() + 60, iss: this.issuer, aud: this.clientId },
      ...{ [lti('deployment_id')]: this.deploymentId, [lti('target_link_uri')]: this.tool.launch, sub: id },
      [lti('lis')]: { person_sourcedid: '', course_section_sourcedid: '' },
      [lti('roles')]: person.role === 'student' ? [`${membership}#Learner`] : [...admin, `${membership}#Instructor`],
      [lti('context')]: { id: '2', label: 'LIN', title: 'Linux for “beginners”', type: ['CourseSection'] },
      [lti('message_type')]: type,
      ...(given !== undefined && { ...named, [lti('ext')]: { user_username: given.toLowerCase(), lms: 'moodle-2' } }),
      ...(given === undefined && { [lti('ext')]: { lms: 'moodle-2' } }),
      ...(email !== undefined && { email }),
      [lti('launch_presentation')]: {
        locale: 'en',
        document_target: 'iframe',
        return_url: `${this.issuer}/mod/lti/return.php`,
      },
      [lti('tool_platform')]: {
        ...{ product_family_code: 'moodle', version: '2024100700', guid: '2b5f2d4c', name: 'school', description: '' },
      },
      [lti('version')]: '1.3.0',
      [gradesClaim]: { scope: gradeScopes, lineitems: `${service}/2/lineitems?type_id=3` },
      [membersClaim]: {
        ...{ context_memberships_url: `${service}/CourseSection/2/bindings/3/memberships` },
        service_versions: ['1.0', '2.0'],
      },
    };
  }

  launch(person: Person, { id, title, custom }: Link): Fields {
    const claims = this.#claims(person, 'LtiResourceLinkRequest');
    const lineitem = `${this.issuer}/mod/lti/services.php/2/lineitems/${id}7/lineitem?type_id=3`;
    return {
      ...{ ...claims, [lti('resource_link')]: { title, description: '', id } },
      [gradesClaim]: { ...(claims[gradesClaim] as Fields), lineitem },
      // There is no empty one.
      ...(custom && { [lti('custom')]: custom }),
    };
  }

  deepLinking(person: Person): Fields {
    return {
      ...this.#claims(person, 'LtiDeepLinkingRequest'),
      [settingsClaim]: {
        ...{ accept_types: ['ltiResourceLink'], accept_presentation_document_targets: ['frame', 'iframe', 'window'] },
        ...{ accept_copy_advice: false, accept_multiple: true, accept_unsigned: false, auto_create: false },
        ...{ can_confirm: false, title: 'Laboratories', text: '' },
        deep_link_return_url: `${this.issuer}/mod/lti/contentitem_return.php?course=2&id=3&sesskey=Zr1`,
      },
    };
  }

  kept({ title, custom }: Fields): Link {
    // As lines of text, in which names are in lower case.
    const pairs = Object.entries(custom as Fields).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { id: '13', title: String(title), custom: Object.fromEntries(pairs) };
  }

  protected describe(): Answer {
    const at = (name: string): string => `${this.issuer}/mod/lti/${name}.php`;
    const body = {
      ...{
        issuer: this.issuer,
        token_endpoint: at('token'),
        jwks_uri: at('certs'),
        authorization_endpoint: at('auth'),
      },
      ...{
        registration_endpoint: at('openid-registration'),
        scopes_supported: [...gradeScopes, membersScope, 'openid'],
      },
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256'],
      ...{ response_types_supported: ['id_token'], subject_types_supported: ['public', 'pairwise'] },
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: ['sub', 'iss', 'name', 'given_name', 'family_name', 'email'],
      [platformClaim]: {
        ...{ product_family_code: 'moodle', version: '4.5+ (Build: 20241018)', variables: ['User.id', 'Context.id'] },
        messages_supported: [
          { type: 'LtiResourceLinkRequest' },
          { type: 'LtiDeepLinkingRequest', placements: ['ContentArea'] },
        ],
      },
    };
    return { status: 200, body };
  }

  protected register(fields: Fields): Answer {
    const { domain, target_link_uri, messages } = this.tooled;
    assert.ok(domain && target_link_uri && Array.isArray(messages));
    const tool = { deployment_id: this.deploymentId, target_link_uri, domain, description: '', claims: ['sub', 'iss'] };
    return {
      status: 200,
      body: { ...fields, client_id: this.clientId, logo_uri: '', [toolClaim]: { ...tool, messages } },
    };
  }

  protected respond({ method, url, headers, text }: Request, scopes: readonly string[]): Answer | undefined {
    const at = '/moodle/mod/lti/services.php';
    if (url.pathname === `${at}/CourseSection/2/bindings/3/memberships` && scopes.includes(membersScope)) {
      const container = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json';
      assert.equal(headers.accept, container);
      const members = this.people.map(({ id, role, given, family, email }) => ({
        ...{ status: 'Active', roles: [role === 'student' ? 'Learner' : 'Instructor'] },
        ...{ user_id: id, lis_person_sourcedid: '' },
        ...(given !== undefined && { name: `${given} ${family}`, given_name: given, family_name: family }),
        ...(email !== undefined && { email }),
      }));
      const context = { id: '2', label: 'LIN', title: 'Linux' };
      return { status: 200, type: container, body: { id: url.origin + url.pathname, context, members } };
    }
    const [, item] =
      /^\/moodle\/mod\/lti\/services\.php\/2\/lineitems\/(\d+)\/lineitem\/scores$/.exec(url.pathname) ?? [];
    if (item === undefined || method !== 'POST' || url.searchParams.get('type_id') !== '3') return undefined;
    const type = 'application/vnd.ims.lis.v1.score+json';
    const score = JSON.parse(text) as Fields;
    const isStudent = this.people.some(({ id, role }) => id === score['userId'] && role === 'student');
    if (headers['content-type'] !== type || !isGrade(score) || !isStudent) return refuse(400);
    // The time of a grade is in whole seconds.
    const time = Math.floor(Date.parse(String(score['timestamp'])) / 1000);
    const key = `${item} ${String(score['userId'])}`;
    if ((this.#times.get(key) ?? 0) >= time) return refuse(409);
    this.#times.set(key, time);
    this.scores.push(score);
    // Nothing is in it.
    return { status: 200, type };
  }
}

/**
 * A hosted Canvas: one issuer for all schools, other hosts for logins than for pages. Source: instructure/canvas-lms lib/lti/messages,
 * lib/lti/substitutions_helper.rb, app/controllers/lti/ims, app/serializers/lti/ims, doc/api/registration.md and lti_launch_overview.md.
 */
export class Canvas extends RealPlatform {
  readonly name = 'Canvas';
  readonly clientId = '170000000000559';
  readonly deploymentId = '189:7f956bcc8f67cd076ae464862ce83596a1bb3293';
  readonly placements = ['link_selection', 'assignment_selection'];
  readonly issuer = 'https://canvas.instructure.com';
  protected readonly paths = {
    ...{ description: '/api/lti/security/openid-configuration', registration: '/api/lti/registrations' },
    ...{ token: '/login/oauth2/token', keys: '/api/lti/security/jwks' },
  };
  /** Of each student in an assignment that allows one. */
  readonly #attempts = new Map<string, number>();
  /** The link of its assignment. */
  #assignment = '';

  static async start(): Promise<Canvas> {
    return await new Canvas().start();
  }

  get page(): string {
    return this.at('localhost');
  }
  get #sso(): string {
    return this.at('127.0.0.1');
  }
  get registration() {
    const token = 'header.claims.signature';
    const of = `${this.#sso}${this.paths.description}?registration_token=${token}`;
    return { openid_configuration: of, registration_token: token };
  }

  hints({ id }: Person): Record<string, string> {
    return {
      ...{ utf8: '✓', authenticity_token: 'TBY6QUc0vG30fOXeZRA5Vxu3', iss: this.issuer, login_hint: id },
      ...{ client_id: this.clientId, deployment_id: this.deploymentId, lti_deployment_id: this.deploymentId },
      ...{ target_link_uri: this.tool.launch, lti_message_hint: `eyJ0eXAiOiJKV1Qi.${'x'.repeat(700)}.signature` },
      ...{
        canvas_region: 'us-east-1',
        canvas_environment: 'production',
        lti_storage_target: 'post_message_forwarding',
      },
    };
  }

  problemOf(query: URLSearchParams): string | undefined {
    const names = ['login_hint', 'lti_message_hint', 'nonce', 'prompt', 'response_mode', 'response_type'];
    const isRight = query.get('redirect_uri') === this.tool.launch && query.get('client_id') === this.clientId;
    if (!isRight || query.get('scope') !== 'openid') return 'invalid_request_object';
    return names.find((name) => !query.get(name));
  }

  form(id_token: string, state: string): Record<string, string> {
    const extra = { utf8: '✓', authenticity_token: 'TBY6QUc0vG30fOXeZRA5Vxu3' };
    return { ...extra, id_token, state, lti_storage_target: 'post_message_forwarding' };
  }

  #roles(role: Person['role']): string[] {
    if (role === 'assistant') return [`${membership}#Instructor`, `${membership}/Instructor#TeachingAssistant`];
    return [role === 'student' ? `${membership}#Learner` : `${membership}#Instructor`];
  }

  #claims(person: Person, type: string, placement: string): Fields {
    const { id, given, family, email } = person;
    const [course, noErrors] = [
      `${this.page}/api/lti/courses/12`,
      { validation_context: null, errors: { errors: {} } },
    ];
    const somebody = person.role === 'student' ? `${institution}#Student` : `${institution}#Instructor`;
    return {
      ...{ [lti('message_type')]: type, [lti('version')]: '1.3.0', aud: this.clientId, azp: this.clientId },
      ...{
        [lti('deployment_id')]: this.deploymentId,
        exp: seconds() + 3600,
        iat: seconds(),
        iss: this.issuer,
        sub: id,
      },
      [lti('target_link_uri')]: this.tool.launch,
      ...(given !== undefined && { name: `${given} ${family}`, given_name: given, family_name: family }),
      ...(given !== undefined && { picture: `${this.page}/images/messages/avatar-50.png` }),
      // Somebody without an address, though the tool may have it.
      ...(given !== undefined && { email: email ?? null }),
      [lti('lis')]: { person_sourcedid: '$Person.sourcedId', course_offering_sourcedid: '', ...noErrors },
      [lti('context')]: {
        ...{ id: '4dde05e8ca1973bcca9bffc13e1548820eee93a3', label: 'LIN', title: 'Linux' },
        ...{ type: ['http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering'], ...noErrors },
      },
      [lti('tool_platform')]: {
        ...{ guid: 'pNu5F9EoIATW6XqZ33C5tiqomb7bFJ4IGWFoCFy6:canvas-lms', name: '', version: 'cloud' },
        ...{ product_family_code: 'canvas', ...noErrors },
      },
      [lti('launch_presentation')]: {
        ...{ document_target: 'iframe', return_url: `${this.page}/courses/12/external_content/success` },
        ...{ locale: 'en', height: null, width: null, ...noErrors },
      },
      ...{ locale: 'en', [lti('roles')]: [somebody, ...this.#roles(person.role), `${institution}#None`] },
      [lti('custom')]: {},
      [membersClaim]: {
        ...{ context_memberships_url: `${course}/names_and_roles`, service_versions: ['2.0'], ...noErrors },
      },
      [gradesClaim]: { scope: gradeScopes, lineitems: `${course}/line_items`, ...noErrors },
      [lti('lti11_legacy_user_id')]: '535fa085f22b4655f48cd5a36a9215f64c062838',
      [lti('lti1p1')]: { user_id: '535fa085f22b4655f48cd5a36a9215f64c062838', ...noErrors },
      ...{ 'https://www.instructure.com/placement': placement, errors: { errors: {} } },
    };
  }

  launch(person: Person, { id, title, custom = {} }: Link): Fields {
    const shown = { id, title, description: null, validation_context: null, errors: { errors: {} } };
    const claims = this.#claims(person, 'LtiResourceLinkRequest', 'assignment_selection');
    return { ...claims, [lti('resource_link')]: shown, [lti('custom')]: custom };
  }

  deepLinking(person: Person): Fields {
    const query = new URLSearchParams({
      data: 'header.claims.signature',
      modal: 'true',
      placement: 'assignment_selection',
    });
    return {
      ...this.#claims(person, 'LtiDeepLinkingRequest', 'assignment_selection'),
      [settingsClaim]: {
        deep_link_return_url: `${this.page}/courses/12/deep_linking_response?${query}`,
        ...{ accept_types: ['ltiResourceLink'], accept_presentation_document_targets: ['iframe', 'window'] },
        ...{ accept_media_types: 'application/vnd.ims.lti.v1.ltilink', accept_multiple: false, auto_create: false },
        ...{ validation_context: null, errors: { errors: {} } },
      },
    };
  }

  kept({ title, custom, lineItem }: Fields): Link {
    const id = '7f956bcc-8f67-4d07-8ae4-64862ce83596';
    if (lineItem !== undefined) this.#assignment = id;
    return { id, title: String(title), custom: custom as Fields };
  }

  protected describe({ headers }: Request): Answer {
    if (headers.authorization !== `Bearer ${this.registration.registration_token}`) return refuse(401);
    const at = (path: string): string => `${this.#sso}${path}`;
    const body = {
      ...{ issuer: this.issuer, authorization_endpoint: at('/api/lti/authorize_redirect') },
      ...{ registration_endpoint: at(this.paths.registration), jwks_uri: at(this.paths.keys) },
      ...{ token_endpoint: at(this.paths.token), token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      token_endpoint_auth_signing_alg_values_supported: ['RS256'],
      scopes_supported: [...gradeScopes, membersScope, 'https://canvas.instructure.com/lti/public_jwk/scope/update'],
      ...{ response_types_supported: ['id_token'], id_token_signing_alg_values_supported: ['RS256'] },
      ...{ claims_supported: ['sub', 'picture', 'email', 'name', 'given_name', 'family_name', 'locale'] },
      ...{ subject_types_supported: ['public'], authorization_server: new URL(this.#sso).host },
      [platformClaim]: {
        ...{ product_family_code: 'canvas', version: 'vCloud', variables: ['ResourceLink.id'] },
        messages_supported: [
          { type: 'LtiResourceLinkRequest', placements: ['account_navigation', 'course_navigation'] },
          { type: 'LtiDeepLinkingRequest', placements: ['assignment_selection', 'editor_button', 'link_selection'] },
        ],
        notice_types_supported: ['LtiHelloWorldNotice'],
        'https://canvas.instructure.com/lti/account_name': 'Test University',
        'https://canvas.instructure.com/lti/account_lti_guid': 'pNu5F9EoIATW6XqZ33C5tiqomb7bFJ4IGWFoCFy6:canvas-lms',
        'https://canvas.instructure.com/lti/account_domain': new URL(this.page).host,
      },
    };
    return { status: 200, body };
  }

  protected register(fields: Fields): Answer {
    const more = {
      'https://canvas.instructure.com/lti/registration_config_url': `${this.page}/api/lti/registrations/1/view`,
    };
    const tool = { ...this.tooled, ...more };
    const body = { ...fields, client_id: this.clientId, deployment_id: this.deploymentId, [toolClaim]: tool };
    return { status: 200, body };
  }

  protected respond({ method, url, text }: Request, scopes: readonly string[]): Answer | undefined {
    const course = `${this.page}/api/lti/courses/12`;
    const path = `${url.origin}${url.pathname}`;
    if (path === `${course}/names_and_roles`) return scopes.includes(membersScope) ? this.#members(url) : refuse(401);
    if (path === `${course}/line_items`) {
      const link = url.searchParams.get('resource_link_id');
      const item = { id: `${course}/line_items/7`, scoreMaximum: 100, label: 'Trial', resourceLinkId: link };
      // A link outside an assignment has no column, and gets none.
      return method === 'GET' ? { status: 200, body: link === this.#assignment ? [item] : [] } : refuse(412);
    }
    if (path !== `${course}/line_items/7/scores` || method !== 'POST') return undefined;
    const score = JSON.parse(text) as Fields & { 'https://canvas.instructure.com/lti/submission'?: Fields };
    const user = String(score['userId']);
    if (!isGrade(score)) return refuse(400);
    if (!this.people.some(({ id, role }) => id === user && role === 'student')) return refuse(422);
    if (score['https://canvas.instructure.com/lti/submission']?.['new_submission'] !== false) {
      const attempts = (this.#attempts.get(user) ?? 0) + 1;
      if (attempts > 1) return refuse(422);
      this.#attempts.set(user, attempts);
    }
    this.scores.push(score);
    return {
      status: 200,
      type: 'application/vnd.ims.lis.v1.score+json',
      body: { resultUrl: `${course}/line_items/7/results/1` },
    };
  }

  /** Two on a page, of which the first has the whole set of links. */
  #members(url: URL): Answer {
    const page = Number(url.searchParams.get('page') ?? 1);
    const of = (number: number, rel: string): string => {
      const query = new URLSearchParams({ page: String(number), per_page: '2' });
      return `<${url.origin}${url.pathname}?${query}>; rel="${rel}"`;
    };
    const last = Math.ceil(this.people.length / 2);
    const links = [
      of(page, 'current'),
      ...(page < last ? [of(page + 1, 'next')] : []),
      of(1, 'first'),
      of(last, 'last'),
    ];
    const members = this.people.slice(page * 2 - 2, page * 2).map(({ id, role, given, family, email }) => ({
      ...{ status: 'Active', user_id: id, lti11_legacy_user_id: `legacy-${id}`, roles: this.#roles(role) },
      ...(given !== undefined && { name: `${given} ${family}`, given_name: given, family_name: family }),
      ...(email !== undefined && { email }),
    }));
    const body = {
      id: `${url.origin}${url.pathname}`,
      context: { id: '4dde05e8', label: 'LIN', title: 'Linux' },
      members,
    };
    return { status: 200, type: 'application/vnd.ims.lis.v2.membershipcontainer+json', link: links.join(','), body };
  }
}
