import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, decodeProtectedHeader, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const lti = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
export const learner = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Learner';
export const instructor = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor';
const text = (of: string | null): string => of ?? '';

export type SigningKey = { kid: string; privateKey: CryptoKey; jwk: JWK };
export async function newKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A platform that says whatever a test wants it to say. */
export class ForgingPlatform {
  readonly #server: Server;
  readonly clientId: string;
  key!: SigningKey;
  /** What it publishes instead of its key. */
  published: JWK[] | undefined;
  /** The claims of its next message, with the query of the login. */
  next: (query: URLSearchParams) => object = () => ({});
  /** What was posted to it. */
  readonly posted: { path: string; body: string; authorization: string | undefined }[] = [];
  /** The address of a link in its course, which its page shows in a frame. */
  link = '';
  keyRequests = 0;

  constructor(clientId = 'tool-1') {
    this.clientId = clientId;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      const answer = async (): Promise<void> => {
        const url = new URL(request.url ?? '/', this.origin);
        const body = Buffer.concat(parts).toString();
        if (request.method === 'POST')
          this.posted.push({ path: url.pathname, body, authorization: request.headers.authorization });
        const [type, content] = await this.#answer(url);
        response.writeHead(200, { 'content-type': type }).end(content);
      };
      request.on('end', () => void answer());
    });
  }

  async start(): Promise<this> {
    this.key = await newKey(`${this.clientId}-key`);
    await new Promise<void>((resolve) => this.#server.listen(0, resolve));
    return this;
  }

  /** Another site than that of the service, which tests reach as 127.0.0.1. */
  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  get fields() {
    return {
      ...{ name: 'Moodle', issuer: this.origin, client_id: this.clientId, authorization_url: `${this.origin}/auth` },
      ...{ token_url: `${this.origin}/token`, jwks_url: `${this.origin}/keys`, deployment_ids: ['1'] },
      ...{ origins: [this.origin], is_active: true },
    };
  }

  /** What an honest platform would say. */
  honest(nonce: string, origin: string, more: object = {}): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1000);
    return {
      ...{ iss: this.origin, aud: this.clientId, sub: 'user-1', nonce, iat: now, exp: now + 60 },
      ...{ email: 'student.one@school.example.com', name: 'Student One' },
      ...{ [lti('version')]: '1.3.0', [lti('message_type')]: 'LtiResourceLinkRequest', [lti('deployment_id')]: '1' },
      ...{ [lti('target_link_uri')]: `${origin}/api/lti/launch`, [lti('roles')]: [learner] },
      ...{ [lti('context')]: { id: 'course-1', title: 'Linux' }, [lti('resource_link')]: { id: 'link-1' } },
      ...more,
    };
  }

  async sign(claims: object, key = this.key, header: object = {}): Promise<string> {
    const { alg = 'RS256' } = key.jwk;
    return await new SignJWT({ ...claims }).setProtectedHeader({ alg, kid: key.kid, ...header }).sign(key.privateKey);
  }

  async #answer(url: URL): Promise<[type: string, content: string]> {
    const json = (content: object): [string, string] => ['application/json', JSON.stringify(content)];
    if (url.pathname === '/keys') {
      this.keyRequests += 1;
      return json({ keys: this.published ?? [this.key.jwk] });
    }
    if (url.pathname === '/token') return json({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 });
    if (url.pathname === '/register') {
      const tool = JSON.parse(this.posted.at(-1)?.body ?? '{}') as Record<string, object>;
      const claim = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
      return json({ ...tool, client_id: this.clientId, [claim]: { ...tool[claim], deployment_id: '7' } });
    }
    if (url.pathname === '/openid-configuration') return json(this.description);
    if (url.pathname === '/course')
      return ['text/html', `<h1>Course</h1><iframe name="tool" width="1100" height="700" src="${this.link}">`];
    if (url.pathname === '/auth') {
      const query = url.searchParams;
      const token = await this.sign(this.next(query));
      const inputs = `<input name="id_token" value="${token}"><input name="state" value="${text(query.get('state'))}">`;
      const action = text(query.get('redirect_uri'));
      return [
        'text/html',
        `<form method="post" action="${action}">${inputs}</form><script>document.forms[0].submit()</script>`,
      ];
    }
    return ['text/html', '<h1>Back in the course</h1>'];
  }

  /** As Moodle describes itself. */
  get description(): object {
    return {
      ...{ issuer: this.origin, token_endpoint: `${this.origin}/token`, jwks_uri: `${this.origin}/keys` },
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256'],
      ...{ authorization_endpoint: `${this.origin}/auth`, registration_endpoint: `${this.origin}/register` },
      scopes_supported: ['https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly', 'openid'],
      ...{ response_types_supported: ['id_token'], subject_types_supported: ['public', 'pairwise'] },
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: ['sub', 'iss', 'name', 'given_name', 'family_name', 'email'],
      'https://purl.imsglobal.org/spec/lti-platform-configuration': {
        ...{ product_family_code: 'moodle', version: '4.5' },
        messages_supported: [{ type: 'LtiResourceLinkRequest' }, { type: 'LtiDeepLinkingRequest' }],
      },
    };
  }

  /** The kid of the key that has signed a token. */
  static kidOf(token: string): string | undefined {
    return decodeProtectedHeader(token).kid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
