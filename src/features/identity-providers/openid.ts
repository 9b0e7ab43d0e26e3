import * as client from 'openid-client';

/** A provider, as far as the protocol is concerned. */
export type Relation = { issuer: string; clientId: string; secret: string | undefined; scopes: string };
/** What binds the answer of a provider to the login that was begun. */
export type Checks = { state: string; nonce: string; verifier: string };
/** What a provider says of a user. Its signature, issuer, audience, time and nonce have been checked. */
export type ProvenClaims = Record<string, unknown> & { sub: string };

export type Request = { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal };
export type OpenIdParts = {
  /** Sends requests to providers, within limits. Its errors have a `problem`. */
  fetch: (url: string, request: Request) => Promise<Response>;
  /** Providers without TLS are allowed. */
  isInsecureAllowed: boolean;
};

export const refusals = [
  ...(['unavailable', 'denied', 'invalid', 'expired', 'unverified_email', 'account_exists'] as const),
  ...(['taken', 'inactive', 'locked', 'unknown_deployment', 'no_class'] as const),
];
/** Why a login through a provider failed, for its user. */
export type Refusal = (typeof refusals)[number];

export class LoginRefusedError extends Error {
  readonly refusal: Refusal;
  /** Where the user was, as far as it is known. */
  next = '/';
  /** The user is logged in, and was linking the provider. */
  isLinking = false;

  /** @param reason for administrators, without anything that the provider or the user has sent */
  constructor(refusal: Refusal, reason: string = refusal) {
    super(reason);
    this.refusal = refusal;
  }
}

export const providerProblems = [
  ...(['address_private', 'address_insecure', 'unreachable', 'timeout', 'no_discovery', 'issuer_differs'] as const),
  ...(['endpoint_missing', 'no_code_flow', 'no_pkce', 'no_signature', 'no_keys', 'client_refused'] as const),
];
export type ProviderProblem = (typeof providerProblems)[number];

class ProviderProblemError extends Error {
  readonly problem: ProviderProblem;

  constructor(problem: ProviderProblem) {
    super(problem);
    this.problem = problem;
  }
}

type Metadata = client.ServerMetadata;

/** Seconds for one request, for which a user waits. */
const timeoutSeconds = 10;
/** How long a provider's description is used, and how long a failure keeps others from waiting for the same. */
const knownMs = 10 * 60_000;
const failedMs = 5000;
/** Seconds by which the provider's clock may differ. */
const tolerance = 60;
/** No secret that both sides know: who knows it could sign as the provider. */
const signatures = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/;

/** OpenID Connect with the providers: authorization code, PKCE, nonce and signed answers. */
export class OpenId {
  readonly #parts: OpenIdParts;
  readonly #known = new Map<string, { metadata: Promise<Metadata>; until: number }>();

  constructor(parts: OpenIdParts) {
    this.#parts = parts;
  }

  /** Where the browser goes for a login. @throws LoginRefusedError */
  async begin(of: Relation, redirectUri: string, { state, nonce, verifier }: Checks): Promise<URL> {
    return await refusing(async () => {
      const config = this.#configuration(of, await this.#metadata(of.issuer));
      return client.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: of.scopes, state, nonce },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
    });
  }

  /**
   * @param answer the address at which the provider has sent the browser back
   * @returns the claims, and the ID token, with which the provider ends the login later
   * @throws LoginRefusedError
   */
  async finish(
    of: Relation,
    answer: URL,
    { state, nonce, verifier }: Checks,
  ): Promise<{ claims: ProvenClaims; idToken: string | undefined }> {
    return await refusing(async () => {
      const metadata = await this.#metadata(of.issuer);
      // A new one each time: it requests the keys of the provider, which may have changed them a moment ago.
      const config = this.#configuration(of, metadata);
      const tokens = await client.authorizationCodeGrant(config, answer, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      });
      const claims = tokens.claims();
      if (!claims) throw new LoginRefusedError('invalid', 'no ID token');
      if (claims.azp !== undefined && claims.azp !== of.clientId) throw new LoginRefusedError('invalid', 'azp');
      if (claims.iat > Date.now() / 1000 + tolerance) throw new LoginRefusedError('invalid', 'iat');
      const { userinfo_endpoint: endpoint } = metadata;
      const info = endpoint === undefined ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      // An address and its verification are of one source.
      const { email, email_verified } = (claims['email'] === undefined ? info : claims) as Record<string, unknown>;
      return { claims: { ...info, ...claims, email, email_verified }, idToken: tokens.id_token };
    });
  }

  /** Where the browser goes to log out there too. Undefined where the provider has no such address, or does not answer. */
  async endOf(of: Relation, returnTo: string, idToken: string | undefined): Promise<URL | undefined> {
    const metadata = await this.#metadata(of.issuer).catch(() => undefined);
    if (metadata?.end_session_endpoint === undefined) return undefined;
    return client.buildEndSessionUrl(this.#configuration(of, metadata), {
      ...{ post_logout_redirect_uri: returnTo, ...(idToken !== undefined && { id_token_hint: idToken }) },
    });
  }

  /** Asks a provider for its description and keys, and whether it knows the client. @returns what is wrong */
  async examine(of: Relation, redirectUri: string): Promise<{ problems: ProviderProblem[]; hasLogout: boolean }> {
    try {
      const metadata = await this.#discover(of.issuer);
      const { code_challenge_methods_supported: methods, response_types_supported: types, jwks_uri: keys } = metadata;
      const problems: ProviderProblem[] = [];
      if (types && !types.includes('code')) problems.push('no_code_flow');
      if (methods && !methods.includes('S256')) problems.push('no_pkce');
      if (metadata.id_token_signing_alg_values_supported?.length === 0) problems.push('no_signature');
      if (!(await this.#hasKeys(keys ?? ''))) problems.push('no_keys');
      if (await this.#refusesClient(of, metadata, redirectUri)) problems.push('client_refused');
      return { problems, hasLogout: metadata.end_session_endpoint !== undefined };
    } catch (error) {
      return { problems: [problemOf(error)], hasLogout: false };
    }
  }

  async #hasKeys(url: string): Promise<boolean> {
    const { keys } = (await (await this.#parts.fetch(url, {})).json()) as { keys?: unknown };
    return Array.isArray(keys) && keys.length > 0;
  }

  /** A provider checks the client before the code, so that a made-up code shows whether it knows the client. */
  async #refusesClient(of: Relation, metadata: Metadata, redirectUri: string): Promise<boolean> {
    const state = client.randomState();
    const answer = new URL(`${redirectUri}?${new URLSearchParams({ code: 'test', state, iss: metadata.issuer })}`);
    const checks = { expectedState: state, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    const error = await client.authorizationCodeGrant(this.#configuration(of, metadata), answer, checks).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    const isRefused =
      error instanceof client.ResponseBodyError || error instanceof client.WWWAuthenticateChallengeError;
    return isRefused && !(error instanceof client.ResponseBodyError && error.error === 'invalid_grant');
  }

  #metadata(issuer: string): Promise<Metadata> {
    const known = this.#known.get(issuer);
    if (known && known.until > Date.now()) return known.metadata;
    const metadata = this.#discover(issuer);
    const entry = { metadata, until: Date.now() + knownMs };
    this.#known.set(issuer, entry);
    metadata.catch(() => {
      entry.until = Date.now() + failedMs;
    });
    return metadata;
  }

  async #discover(issuer: string): Promise<Metadata> {
    const { fetch, isInsecureAllowed } = this.#parts;
    const found = await client.discovery(new URL(issuer), 'discovery', undefined, client.None(), {
      ...{ [client.customFetch]: fetch as client.CustomFetch, timeout: timeoutSeconds },
      execute: isInsecureAllowed ? [client.allowInsecureRequests] : [],
    });
    const metadata: Metadata = found.serverMetadata();
    // The library lets the issuer of all tenants of Entra pass, which is a pattern.
    if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new ProviderProblemError('issuer_differs');
    const { authorization_endpoint, token_endpoint, jwks_uri, end_session_endpoint } = metadata;
    for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri])
      if (!this.#isAddress(endpoint)) throw new ProviderProblemError('endpoint_missing');
    const { id_token_signing_alg_values_supported: offered = ['RS256'] } = metadata;
    const signed = { id_token_signing_alg_values_supported: offered.filter((name) => signatures.test(name)) };
    const { end_session_endpoint: _unsafe, ...rest } = metadata;
    return { ...(this.#isAddress(end_session_endpoint) ? metadata : rest), ...signed };
  }

  #isAddress(url: string | undefined): boolean {
    const protocol = url !== undefined && URL.canParse(url) ? new URL(url).protocol : '';
    return protocol === 'https:' || (protocol === 'http:' && this.#parts.isInsecureAllowed);
  }

  #configuration({ clientId, secret }: Relation, metadata: Metadata): client.Configuration {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
    const isPosted = methods.includes('client_secret_post');
    const proof = isPosted ? client.ClientSecretPost : client.ClientSecretBasic;
    const config = new client.Configuration(
      metadata,
      clientId,
      { [client.clockTolerance]: tolerance },
      secret === undefined ? client.None() : proof(secret),
    );
    config[client.customFetch] = this.#parts.fetch as client.CustomFetch;
    config.timeout = timeoutSeconds;
    client.enableNonRepudiationChecks(config);
    if (this.#parts.isInsecureAllowed) client.allowInsecureRequests(config);
    return config;
  }
}

/** What failed on the way to a provider. Undefined: the provider has answered. */
function requestProblem(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('problem' in one && typeof one.problem === 'string') return one.problem;
  return undefined;
}

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
};
const noAnswers = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LoginRefusedError) throw error;
    const problem = requestProblem(error);
    if (problem !== undefined) throw new LoginRefusedError('unavailable', problem);
    if (error instanceof client.AuthorizationResponseError) throw new LoginRefusedError('denied', word(error.error));
    if (error instanceof client.ResponseBodyError)
      throw new LoginRefusedError(error.status >= 500 ? 'unavailable' : 'invalid', word(error.error));
    const code = codeOf(error);
    throw new LoginRefusedError(noAnswers.includes(code) ? 'unavailable' : 'invalid', code);
  }
}

/** A code of the protocol, for the log. */
const word = (text: string): string => (/^[a-z_]{1,60}$/.test(text) ? text : 'error');

function problemOf(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblemError) return error.problem;
  const problem = requestProblem(error);
  if (problem === 'private') return 'address_private';
  if (problem === 'insecure') return 'address_insecure';
  if (problem === 'timeout') return 'timeout';
  if (problem === 'unreachable') return 'unreachable';
  const code = codeOf(error);
  if (code === 'OAUTH_HTTP_REQUEST_FORBIDDEN') return 'address_insecure';
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'issuer_differs';
  return code === 'OAUTH_TIMEOUT' ? 'timeout' : 'no_discovery';
}
