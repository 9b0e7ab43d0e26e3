import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const schoolClient = { client_id: 'platform', client_secret: 'the secret of the platform at the school' };

/** A real identity provider, with pages for login and consent. Everybody has an account there, with the claims of `people`. */
export class SchoolProvider implements AsyncDisposable {
  issuer = '';
  /** More claims than an address and a name, by login. */
  readonly people: Record<string, object> = {};
  readonly #redirectUris: readonly string[];
  readonly #server = createServer((request, response) => this.#listener(request, response));
  #listener: RequestListener = (_request, response) => response.end();
  #keys = 0;

  /** @param service where it sends browsers back to @param slugs under which the service knows it */
  constructor(service: string, slugs: readonly string[]) {
    this.#redirectUris = slugs.map((slug) => `${service}/api/auth/providers/${slug}/callback`);
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.rotateKeys();
    return this;
  }

  /** From now on it signs with another key, and knows the ones before no more. */
  rotateKeys(): void {
    this.#keys += 1;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = { ...privateKey.export({ format: 'jwk' }), kid: `key-${this.#keys}`, use: 'sig', alg: 'RS256' };
    const [first = ''] = this.#redirectUris;
    const provider = new Provider(this.issuer, {
      clients: [
        {
          ...schoolClient,
          redirect_uris: this.#redirectUris,
          post_logout_redirect_uris: [`${new URL(first).origin}/login`],
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of the tests'] },
      pkce: { required: () => true },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
        groups: ['groups'],
      },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({
          ...{ sub: id, email: `${id}@school.example.com`, email_verified: true, name: `Name of ${id}` },
          ...{ preferred_username: id, ...this.people[id] },
        }),
      }),
    });
    this.#listener = provider.callback();
  }

  /** What a browser does there: it logs in and consents. @returns the address at which it goes back to the service */
  async visit(authorization: URL, login: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let request: { url: URL; form?: URLSearchParams } = { url: authorization };
    for (let step = 0; step < 12; step += 1) {
      const { url, form } = request;
      if (url.origin !== this.issuer) return url;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { cookie },
        ...(form && { method: 'POST', body: form }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const text = await answer.text();
      const location = answer.headers.get('location');
      if (location !== null) request = { url: new URL(location, url) };
      else {
        const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? assert.fail(text.slice(0, 2000));
        const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text.slice(0, 2000));
        request = { url: new URL(action, url), form: new URLSearchParams({ prompt, login, password: 'any' }) };
      }
    }
    return assert.fail('the provider never ends');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
