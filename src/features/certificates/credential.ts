import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Static } from 'typebox';
import type { IssuerSchema } from './schema.ts';
import { listAddress, statusEntry, statusList } from './status-list.ts';
import type { CertificateRow } from './store.ts';

/** The issuer at an address, whose key is in the document of `did:web` there. */
const didOf = (origin: string): string => `did:web:${encodeURIComponent(new URL(origin).host)}`;

/** The public key (RFC 8037), whose thumbprint (RFC 7638) names it: the members are in alphabetical order. */
const jwkOf = (key: KeyObject) => {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { crv: 'Ed25519', kty: 'OKP', x };
};
const keyIdOf = (origin: string, key: KeyObject): string =>
  `${didOf(origin)}#${createHash('sha256')
    .update(JSON.stringify(jwkOf(key)))
    .digest('base64url')}`;

/** https://w3c-ccg.github.io/did-method-web/ */
export function issuerDocument(origin: string, key: KeyObject): Static<typeof IssuerSchema> {
  const [id, keyId] = [didOf(origin), keyIdOf(origin, key)];
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    verificationMethod: [{ id: keyId, type: 'JsonWebKey2020', controller: id, publicKeyJwk: jwkOf(key) }],
    assertionMethod: [keyId],
  };
}

export type CredentialParts = {
  certificate: CertificateRow;
  /** Its place in the status lists. */
  statusIndex: number;
  /** The id of the exam or the course. */
  partId: number | null;
  issuer: string;
  /** The address of the service. */
  origin: string;
  key: KeyObject;
};

/**
 * An OpenBadgeCredential of Open Badges 3.0 with a JSON Web Token proof. Its subject is the certificate's holder, who has no other identifier
 * in it than the chosen name. Its `id` is the address that says whether it is withdrawn, and so does its status list.
 * https://www.imsglobal.org/spec/ob/v3p0#jwt-proof
 */
export function signedCredential({ certificate, statusIndex, partId, issuer, origin, key }: CredentialParts): string {
  const { id, kind, title, name, created_at } = certificate;
  const did = didOf(origin);
  const address = `${origin}/api/certificates/${id}`;
  const subject = `urn:uuid:${id}`;
  const identity = { type: 'IdentityObject', hashed: false, identityHash: name, identityType: 'name' };
  // The claims count whole seconds, and the two times are to be the same.
  const seconds = Math.floor(created_at.getTime() / 1000);
  const credential = {
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json'],
    id: address,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: title,
    issuer: { id: did, type: ['Profile'], name: issuer, url: origin },
    validFrom: new Date(seconds * 1000).toISOString(),
    credentialStatus: statusEntry(origin, statusIndex),
    credentialSubject: {
      ...{ id: subject, type: ['AchievementSubject'], identifier: [identity] },
      achievement: {
        id: partId === null ? `${address}#achievement` : `${origin}/${kind}s/${partId}`,
        type: ['Achievement'],
        achievementType: kind === 'exam' ? 'Assessment' : 'Course',
        ...{ name: title, description: title },
        criteria: {
          narrative: kind === 'exam' ? 'Passed the exam.' : 'Completed all lessons and passed all laboratories.',
        },
      },
    },
  };
  return token(origin, key, 'JWT', { iss: did, jti: address, nbf: seconds, sub: subject, ...credential });
}

/** @param withdrawn indexes of certificates in this list @returns a credential, see https://www.w3.org/TR/vc-jose-cose/ */
export function signedStatusList(origin: string, key: KeyObject, list: number, withdrawn: readonly number[]): string {
  const [issuer, jti] = [didOf(origin), listAddress(origin, list)];
  const claims = { iss: issuer, jti, iat: Math.floor(Date.now() / 1000), issuer };
  return token(origin, key, 'vc+jwt', { ...claims, ...statusList(origin, list, withdrawn) });
}

function token(origin: string, key: KeyObject, typ: string, claims: object): string {
  const header = { alg: 'EdDSA', kid: keyIdOf(origin, key), typ };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}
