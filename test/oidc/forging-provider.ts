import { constants, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown>;
/** How an ID token is signed. */
export type Signing = { header?: Claims; key?: KeyObject; alter?: (token: string) => string; hmac?: string };

export const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** An identity provider that answers whatever a test wants. It has no pages: the test goes back to the service itself. */
export class ForgingProvider implements AsyncDisposable {
  readonly clientId = 'platform';
  key = newKey();
  kid = 'first';
  /** Answers of the token endpoint: what is in the ID token, and how it is signed. Undefined: none. */
  claims: Claims | undefined;
  /** The claims of logins that are open at the same time, by their codes. */
  readonly claimsOf = new Map<string, Claims>();
  signing: Signing = {};
  /** Of the userinfo endpoint. */
  info: Claims = {};
  /** More of its description. */
  metadata: Claims = {};
  /** Paths. */
  readonly requests: string[] = [];
  isDown = false;
  issuer = '';
  #server: Server | undefined;

  async start(): Promise<this> {
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const path = request.url?.split('?', 1)[0] ?? '/';
      this.requests.push(path);
      if (this.isDown) return void request.socket.destroy();
      const code = new URLSearchParams(await text(request)).get('code') ?? request.headers.authorization?.slice(7);
      const body = this.#answer(path, code ?? '');
      response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    };
    const server = createServer((request, response) => void serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  /** An ID token of the claims. */
  token(claims: Claims, { header = {}, key = this.key, hmac, alter = (token) => token }: Signing = {}): string {
    const content = `${encode({ alg: 'RS256', typ: 'JWT', kid: this.kid, ...header })}.${encode(claims)}`;
    const signature =
      hmac === undefined
        ? sign('sha256', Buffer.from(content), { key, padding: constants.RSA_PKCS1_PADDING })
        : createHmac('sha256', hmac).update(content).digest();
    return alter(`${content}.${signature.toString('base64url')}`);
  }

  get publicKey(): string {
    return createPublicKey(this.key).export({ type: 'spki', format: 'pem' }).toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #answer(path: string, code: string): object | undefined {
    const known = this.claimsOf.get(code);
    if (path === '/.well-known/openid-configuration') return this.#description();
    if (path === '/keys')
      return { keys: [{ ...createPublicKey(this.key).export({ format: 'jwk' }), kid: this.kid, use: 'sig' }] };
    if (path === '/userinfo') return known ? { sub: known['sub'] } : this.info;
    if (path !== '/token') return undefined;
    const claims = known ?? this.claims;
    const id_token = claims && this.token(claims, this.signing);
    return { access_token: known ? code : 'access', token_type: 'Bearer', ...(id_token && { id_token }) };
  }

  #description(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      // As generous as it can be: the service accepts less.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      ...this.metadata,
    };
  }
}
