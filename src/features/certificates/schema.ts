import { type Static, Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { maxList } from '../../values/certificate-lists.ts';

const Kind = OneOf('exam', 'course');
const CertificateId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'Identifies the certificate; it cannot be guessed.',
});

const shown = {
  kind: { ...Kind, description: 'What was passed or finished.' },
  title: Type.String({ description: 'Of the exam or the course, as it was then.' }),
  earned_at: { ...Timestamp, description: 'When the exam was submitted, or the course finished, in UTC.' },
};

export const OwnCertificateSchema = Type.Object(
  {
    id: Nullable(Type.String({ description: 'Null: the caller can create it. Its page is `/verify/{id}`.' })),
    ...shown,
    part_id: Nullable(Type.Integer({ description: 'The id of the exam or the course. Null once it is deleted.' })),
    attempt_id: Nullable(Type.Integer({ description: 'The attempt that passed the exam. Null for a course.' })),
    name: Nullable(Type.String({ description: 'The name on it. Null before it is created.' })),
    created_at: { ...NullableTimestamp, description: 'In UTC. Null before it is created.' },
    withdrawn_at: { ...NullableTimestamp, description: 'In UTC. Null: it is valid, or not created yet.' },
  },
  { title: 'OwnCertificate' },
);

export const CertificateSchema = Type.Object(
  {
    id: Type.String(),
    ...shown,
    name: Nullable(Type.String({ description: 'As the holder has chosen it. Null once the account is deleted.' })),
    issuer: Type.String({ description: 'The name of the installation.' }),
    created_at: { ...Timestamp, description: 'When the holder created it, in UTC.' },
    withdrawn_at: {
      ...NullableTimestamp,
      description:
        'When the grade fell below passing, or the attempt or the account was deleted, in UTC. Null: it is valid.',
    },
  },
  { title: 'Certificate' },
);

export const NewCertificate = Type.Object(
  {
    kind: Kind,
    part_id: { ...Id, description: 'The id of the exam or the course.' },
    name: Type.String({
      ...{ minLength: 1, maxLength: 200, pattern: '\\S' },
      description: 'As it is shown to anybody with the id. 422 for letters that are not Latin, Cyrillic or Greek.',
    }),
  },
  { title: 'NewCertificate' },
);
export type NewCertificate = Static<typeof NewCertificate>;

export const StatusListParams = Type.Object({
  list: Type.Integer({ minimum: 0, maximum: maxList, description: 'As credentials name it.' }),
});
export const CertificateParams = Type.Object({ certificate: CertificateId });
export const PdfQuery = Type.Object({
  language: Type.Optional({ ...OneOf('en', 'de', 'ru'), description: 'Of its texts; default `en`.' }),
});
export type Language = 'en' | 'de' | 'ru';
export const ListQuery = PageQuery;

export const IssuerSchema = Type.Object(
  {
    '@context': Type.Array(Type.String(), { description: 'The vocabularies of the document.' }),
    id: Type.String({ description: 'The issuer of the credentials: `did:web` with the address of the service.' }),
    verificationMethod: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The `kid` of the credentials.' }),
        type: Type.String(),
        controller: Type.String({ description: 'The issuer.' }),
        publicKeyJwk: Type.Object(
          {
            kty: Type.String({ description: '`OKP`' }),
            crv: Type.String({ description: '`Ed25519`' }),
            x: Type.String({ description: 'The 32 bytes of the key as base64url.' }),
          },
          { description: 'The public key (RFC 8037).' },
        ),
      }),
      { description: 'The key that verifies the credentials.' },
    ),
    assertionMethod: Type.Array(Type.String(), { description: 'The ids of the keys that sign credentials.' }),
  },
  { title: 'DidDocument' },
);
