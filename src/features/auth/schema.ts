import { Type } from 'typebox';
import { Email, FullName, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { usernameLength } from '../../values/username.ts';
import type { UserRow } from './store.ts';

const Username = Type.String({
  ...{ minLength: usernameLength.min, maxLength: usernameLength.maxOfAddress, 'x-username': true },
  description:
    "2 to 64 letters of any script, digits and `_ . - + '`, unique without regard to case, stored in Unicode's form NFKC; or the whole e-mail address of the account.",
});
const NewPassword = Type.String({
  minLength: 8,
  maxLength: 72,
  format: 'bytes72',
  description: '8 characters to 72 bytes (bcrypt reads no more).',
});

export const UserSchema = Type.Object(
  {
    id: Type.Integer(),
    username: Type.String(),
    email: Type.String(),
    role: OneOf('student', 'instructor', 'admin'),
    full_name: Nullable(Type.String()),
    avatar_url: Nullable(Type.String()),
    is_active: Type.Boolean(),
    created_at: Timestamp,
    last_login_at: NullableTimestamp,
  },
  { title: 'User' },
);

export const RegisterBody = Type.Object(
  {
    username: Username,
    email: Email,
    password: NewPassword,
    full_name: Type.Optional(FullName),
    code: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          description: 'Required if registration requires a code. Case, spaces and hyphens are ignored.',
        }),
      ),
    ),
  },
  { title: 'Registration' },
);

export const RegistrationRules = Type.Object(
  {
    mode: OneOf('open', 'domain', 'code', 'closed'),
    domains: Type.Optional(Type.Array(Type.String(), { description: 'Only with the mode `domain`.' })),
  },
  { title: 'RegistrationRules' },
);

export const RegistrationCodeSchema = Type.Object(
  {
    id: Type.Integer(),
    code: Type.String(),
    note: Nullable(Type.String()),
    expires_at: NullableTimestamp,
    max_uses: Nullable(Type.Integer()),
    uses: Type.Integer(),
    created_at: Timestamp,
  },
  { title: 'RegistrationCode' },
);

export const LoginBody = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 320, description: 'The username or the e-mail address.' }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
    code: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          description:
            'Of the second factor, where the account has one: the six digits of the app, or a recovery code.',
        }),
      ),
    ),
    has_cookie: Type.Optional(
      Type.Boolean({
        description:
          'For the pages: also set a cookie, which `POST /api/auth/refresh` takes in place of a token. Refused for requests of other origins.',
      }),
    ),
  },
  { title: 'Login' },
);

export const SessionSchema = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    user: UserSchema,
  },
  { title: 'Session' },
);

export const PasswordBody = Type.Object(
  {
    old_password: Type.String({ minLength: 1, maxLength: 1000 }),
    new_password: NewPassword,
  },
  { title: 'PasswordChange' },
);

export const InvitationBody = Type.Object(
  {
    code: Type.String({ maxLength: 100, description: 'Case, spaces and hyphens are ignored.' }),
    password: Type.Optional(Nullable(NewPassword)),
  },
  { title: 'InvitationUse' },
);

const MailToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What is behind the hash sign of the link.',
});
export const ForgottenBody = Type.Object(
  { email: { ...Email, description: 'The address of the account.' } },
  { title: 'ForgottenPassword' },
);
export const ResetBody = Type.Object({ token: MailToken, password: NewPassword }, { title: 'PasswordReset' });
export const MailTokenBody = Type.Object({ token: MailToken }, { title: 'MailToken' });
export const AddressSchema = Type.Object(
  {
    email: Type.String(),
    status: OneOf('given', 'unconfirmed', 'confirmed'),
  },
  {
    title: 'OwnAddress',
    description:
      '`given`: nobody asked for a confirmation. `unconfirmed`: the caller has chosen it and not confirmed it, so only mails about the account are sent to it. `confirmed`: the caller has followed a link in a mail to it.',
  },
);

/** The account of an invitation. */
export const InvitedSchema = Type.Object(
  { username: Type.String(), email: Type.String(), full_name: Nullable(Type.String()) },
  { title: 'Invited' },
);

export const InvitationSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Of the user.' }),
    ...InvitedSchema.properties,
    code: Type.String({ description: 'It is shown only this once.' }),
    expires_at: Timestamp,
  },
  { title: 'Invitation' },
);

/** A user in the API's format. Neither the schema nor this has a field for the hash. */
export function toUser(
  user: Omit<
    UserRow,
    | 'password_hash'
    | 'bio'
    | 'tokens_valid_from'
    | 'locked_login'
    | 'ended_logins'
    | 'has_second_factor'
    | 'search_text'
  >,
) {
  const { id, username, email, role, full_name, is_active, created_at, last_login_at, avatar_key } = user;
  const avatar_url = avatar_key === null ? null : `/avatars/${avatar_key}.webp`;
  return { id, username, email, role, full_name, avatar_url, is_active, created_at, last_login_at };
}
