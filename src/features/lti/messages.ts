import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { ClassRole } from '../../database/tables.ts';
import { LoginRefusedError } from '../identity-providers/openid.ts';
import type { Fetch } from './platform-access.ts';
import type { PlatformRow } from './platform-store.ts';

/** How long the keys of a platform are used, and the shortest time between two requests for them. */
const knownMs = 10 * 60_000;
const retryMs = 10_000;
/** Seconds by which the platform's clock may differ. */
const tolerance = 60;
/** No secret that both sides know: who knows it could sign as the platform. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];

const lti = <const Name extends string>(name: Name) => `https://purl.imsglobal.org/spec/lti/claim/${name}` as const;
export const claimNames = {
  type: lti('message_type'),
  version: lti('version'),
  deployment: lti('deployment_id'),
  target: lti('target_link_uri'),
  roles: lti('roles'),
  context: lti('context'),
  link: lti('resource_link'),
  custom: lti('custom'),
  settings: 'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings',
  items: 'https://purl.imsglobal.org/spec/lti-dl/claim/content_items',
  data: 'https://purl.imsglobal.org/spec/lti-dl/claim/data',
  members: 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice',
  grades: 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint',
} as const;

const Id = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' });
const Claims = Type.Object({
  sub: Id,
  nonce: Id,
  exp: Type.Number(),
  iat: Type.Number(),
  [claimNames.version]: Type.Literal('1.3.0'),
  [claimNames.deployment]: Id,
  [claimNames.roles]: Type.Array(Type.String(), { maxItems: 200 }),
  [claimNames.context]: Type.Object({
    id: Id,
    title: Type.Optional(Type.Unknown()),
    label: Type.Optional(Type.Unknown()),
  }),
  [claimNames.custom]: Type.Optional(Type.Unknown()),
  [claimNames.members]: Type.Optional(Type.Unknown()),
  [claimNames.grades]: Type.Optional(Type.Unknown()),
});
const LinkClaims = Type.Object({
  [claimNames.type]: Type.Literal('LtiResourceLinkRequest'),
  [claimNames.target]: Type.String(),
  [claimNames.link]: Type.Object({ id: Id }),
});
const SettingsClaims = Type.Object({
  [claimNames.type]: Type.Literal('LtiDeepLinkingRequest'),
  [claimNames.settings]: Type.Object({
    deep_link_return_url: Type.String({ maxLength: 2000 }),
    accept_types: Type.Array(Type.String()),
    data: Type.Optional(Type.Union([Type.String({ maxLength: 8000 }), Type.Null()])),
  }),
});
/** Of a launch. Its signature, issuer, audience and times have been checked. */
export type Message = Static<typeof Claims> & { link?: string; settings?: { url: string; data: string | undefined } };

/** Verifies messages of platforms, with their keys. */
export class Messages {
  readonly #fetch: Fetch;
  readonly #known = new LRUCache<string, { keys: Promise<JWTVerifyGetKey>; at: number }>({ max: 200 });

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** @param origin of this service @throws LoginRefusedError */
  async verify(platform: PlatformRow, token: string, origin: string): Promise<Message> {
    const { issuer, client_id: audience } = platform;
    const options = {
      issuer,
      audience,
      algorithms,
      clockTolerance: tolerance,
      requiredClaims: ['exp', 'iat', 'nonce'],
    };
    let claims: Record<string, unknown>;
    try {
      claims = (await jwtVerify(token, await this.keys(platform.jwks_url, knownMs), options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw refusalOf(error);
      // The platform may have a new key.
      const keys = await this.keys(platform.jwks_url, retryMs);
      claims = await jwtVerify(token, keys, options).then(
        ({ payload }) => payload,
        (failure: unknown) => Promise.reject(refusalOf(failure)),
      );
    }
    const { aud, azp, iat } = claims;
    if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== audience) throw invalid('azp');
    if (typeof iat !== 'number' || iat > Date.now() / 1000 + tolerance) throw invalid('iat');
    if (!Check(Claims, claims)) throw invalid('claims');
    if (!platform.deployment_ids.includes(claims[claimNames.deployment]))
      throw new LoginRefusedError('unknown_deployment', `deployment ${word(claims[claimNames.deployment])}`);
    if (Check(SettingsClaims, claims)) {
      const { deep_link_return_url: url, accept_types, data } = claims[claimNames.settings];
      if (!accept_types.includes('ltiResourceLink')) throw invalid('accept_types');
      if (!URL.canParse(url) || !platform.origins.includes(new URL(url).origin)) throw invalid('deep_link_return_url');
      return { ...claims, settings: { url, data: data ?? undefined } };
    }
    if (!Check(LinkClaims, claims)) throw invalid('message_type');
    const target = claims[claimNames.target];
    if (!URL.canParse(target) || new URL(target).origin !== origin) throw invalid('target_link_uri');
    return { ...claims, link: claims[claimNames.link].id };
  }

  /** The keys at an address, not older than that. @throws LoginRefusedError */
  async keys(url: string, maxAgeMs: number): Promise<JWTVerifyGetKey> {
    const known = this.#known.get(url);
    if (known && known.at > Date.now() - maxAgeMs) return await known.keys;
    const entry = { keys: this.#read(url), at: Date.now() };
    this.#known.set(url, entry);
    entry.keys.catch(() => {
      entry.at = Date.now() - knownMs + retryMs;
    });
    return await entry.keys;
  }

  async #read(url: string): Promise<JWTVerifyGetKey> {
    try {
      const answer = await this.#fetch(url, { headers: { accept: 'application/json' } });
      if (!answer.ok) throw new LoginRefusedError('unavailable', `keys: status ${answer.status}`);
      const { keys } = (await answer.json()) as JSONWebKeySet;
      // A shared secret is no key of a signature.
      return createLocalJWKSet({ keys: keys.filter(({ kty }) => kty !== 'oct') });
    } catch (error) {
      throw error instanceof LoginRefusedError ? error : new LoginRefusedError('unavailable', problemOf(error));
    }
  }
}

/** What failed on the way to a platform. */
export const problemOf = (error: unknown): string =>
  error instanceof Error && 'problem' in error && typeof error.problem === 'string' ? error.problem : 'no_answer';

const refusalOf = (error: unknown): LoginRefusedError => {
  if (error instanceof LoginRefusedError) return error;
  if (error instanceof errors.JWTExpired) return new LoginRefusedError('expired', 'exp');
  return invalid(error instanceof errors.JOSEError ? error.code : 'unreadable');
};
const invalid = (reason: string) => new LoginRefusedError('invalid', reason);
const word = (text: string): string => (/^[\w:.-]{1,100}$/.test(text) ? text : 'unreadable');

/** A text of a claim, at most that long. */
export function textOf(value: unknown, maxLength: number): string {
  const text = typeof value === 'string' ? value.replaceAll(/\p{Cc}+/gu, ' ').trim() : '';
  return Array.from(text).slice(0, maxLength).join('').toWellFormed();
}

/** A field of a claim that is an address. Null: there is none. */
export function addressOf(claim: unknown, field: string): string | null {
  const value = typeof claim === 'object' && claim !== null ? (claim as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' &&
    value.length <= 2000 &&
    /^https?:[^\p{Cc}\s]*$/u.test(value) &&
    URL.canParse(value)
    ? value
    : null;
}

const ofCourse = 'http://purl.imsglobal.org/vocab/lis/v2/membership';
const roles: Record<string, ClassRole> = {
  ...{ [`${ofCourse}#Learner`]: 'student', Learner: 'student', [`${ofCourse}#Instructor`]: 'instructor' },
  ...{ Instructor: 'instructor', [`${ofCourse}/Instructor#TeachingAssistant`]: 'assistant' },
};

/** The role in the class of somebody with these roles in the course of a platform. Undefined: none. Roles elsewhere do not count. */
export function classRoleOf(names: readonly string[]): ClassRole | undefined {
  const given = new Set(names.map((name) => roles[name]));
  // A platform adds the instructor to the teaching assistant.
  return (['assistant', 'instructor', 'student'] as const).find((role) => given.has(role));
}
