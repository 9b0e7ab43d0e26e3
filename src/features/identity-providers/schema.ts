import { type Static, Type } from 'typebox';
import { Name } from '../../http/protocol/fields.ts';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { providerProblems } from './openid.ts';

const described = { description: 'In the addresses that the provider knows: lower-case letters, digits and hyphens.' };
const Slug = Type.String({ maxLength: 40, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', ...described });

const Rule = Type.Object(
  {
    claim: Type.String({
      ...{ minLength: 1, maxLength: 200 },
      description: 'The name of a claim, or the way to it, such as `groups` or `realm_access.roles`.',
    }),
    value: Type.String({ minLength: 1, maxLength: 500, description: 'What the claim is, or has among others.' }),
    role: Nullable(OneOf('student', 'instructor', 'admin')),
    class_id: Nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  },
  {
    title: 'ClaimRule',
    description:
      'Whose claim has the value gets the role, and becomes a member of the class: students as students, others as instructors.',
  },
);

const fields = {
  name: Name,
  slug: Slug,
  client_id: Type.String({ minLength: 1, maxLength: 500, description: 'The identifier of this service there.' }),
  scopes: Type.String({
    ...{ maxLength: 500, pattern: '^openid( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$' },
    description: 'What the service asks for, beginning with `openid`. By default `openid email profile`.',
  }),
  is_active: Type.Boolean({ description: 'Whether users can log in with it. By default they cannot.' }),
  is_linking_by_email: Type.Boolean({
    description:
      'Whether a login without an account gets the account that has its verified address, unless that is an administrator. By default it does not.',
  }),
  has_verified_emails: Type.Boolean({
    description:
      'Whether all addresses of the provider count as verified where it does not say so itself. By default they do not.',
  }),
  local_login_off_domains: Type.Array(Type.String({ maxLength: 253, pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$' }), {
    maxItems: 50,
    description:
      'Domains of addresses whose users log in with a provider only. Among the administrators at least one can always log in with a password.',
  }),
  rules: Type.Array(Rule, { maxItems: 200, description: 'Roles and classes by claims, applied at each login.' }),
};
const issuer = Type.String({
  ...{ maxLength: 500, pattern: '^https?://[^\\s?#]+$' },
  description: 'The address of the provider, as it names itself. It cannot be changed.',
});
const client_secret = Nullable(
  Type.String({
    ...{ minLength: 1, maxLength: 1000 },
    description: 'It is stored encrypted and never returned.',
  }),
);

const { name, slug, client_id, ...choices } = fields;
export const NewProviderFields = Type.Object(
  {
    name,
    slug,
    issuer,
    client_id,
    client_secret: Type.Optional(client_secret),
    ...Type.Partial(Type.Object(choices)).properties,
  },
  { title: 'IdentityProviderFields' },
);
export type NewProvider = Static<typeof NewProviderFields>;

export const ProviderChanges = Type.Partial(Type.Object({ ...fields, client_secret }), {
  title: 'IdentityProviderChanges',
});
export type ProviderChange = Static<typeof ProviderChanges>;

export const ProviderSchema = Type.Object(
  {
    ...{ id: Id, ...fields, issuer },
    has_client_secret: Type.Boolean({ description: 'Whether a secret is stored.' }),
    redirect_uri: Type.String({
      description: 'The address that the provider has to know: it sends browsers back to it.',
    }),
    logout_uri: Type.String({ description: 'The address to which the provider sends browsers after a log-out.' }),
    user_count: Type.Integer({ description: 'Users who are linked to it.' }),
    created_at: Timestamp,
  },
  { title: 'IdentityProvider' },
);

export const ExaminationSchema = Type.Object(
  {
    problems: Type.Array(OneOf(...providerProblems), { description: 'Empty: a login can succeed.' }),
    has_logout: Type.Boolean({ description: 'Whether a log-out here ends the login there, too.' }),
  },
  { title: 'IdentityProviderTest' },
);

export const LoginProviderSchema = Type.Object(
  {
    id: Id,
    name: Name,
    kind: OneOf('oidc', 'lti'),
    login_url: Type.String({
      description: 'Where a browser begins the login. `next` is the path of the page to return to.',
    }),
  },
  { title: 'LoginProvider' },
);

export const IdentitySchema = Type.Object(
  {
    id: Id,
    provider_id: Nullable(Type.Integer({ description: 'Identifies the provider. Null: a platform of LTI.' })),
    name: Name,
    created_at: Timestamp,
    last_login_at: { ...NullableTimestamp, description: 'The last login with it, in UTC. Null: none.' },
  },
  { title: 'Identity', description: 'A provider with which the caller logs in.' },
);

const next = Type.Optional(Type.String({ maxLength: 2000, description: 'The path of the page to return to.' }));
export const LoginQuery = Type.Object({ next });
const provider_id = Type.Integer({ ...Id, description: 'Of the provider to link.' });
export const NewIdentity = Type.Object({ provider_id, next }, { title: 'NewIdentity' });
export const IdentityUrl = Type.Object(
  { url: Type.String({ description: 'Where the browser of the request goes next.' }) },
  { title: 'IdentityUrl' },
);
export const SlugParams = Type.Object({ slug: Slug });
const parameter = (description: string) => Type.Optional(Type.String({ maxLength: 4000, description }));
export const AnswerQuery = Type.Object({
  code: parameter('The code of the provider.'),
  state: parameter('Of the login that the browser has begun.'),
  iss: parameter('The issuer.'),
  error: parameter('Why the provider has refused.'),
});
