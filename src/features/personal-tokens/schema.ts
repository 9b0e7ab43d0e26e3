import { Type } from 'typebox';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { tokenScopes } from '../../values/token-scopes.ts';

const Scopes = Type.Array(OneOf(...tokenScopes), {
  minItems: 1,
  maxItems: tokenScopes.length,
  uniqueItems: true,
  description:
    '`read` and `write`: what users see and change of their own, also in classes. `content`: what course staff do, and with `read` the checks and right answers of exams and laboratories. `grades`: attempts, results, progress, exam rooms and grade ' +
    'books of the students that the user sees. `admin`: administration. None contains another, and none permits more than its user may.',
});

export const PersonalTokenSchema = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'What the token is for.' }),
    scopes: Scopes,
    created_at: Timestamp,
    expires_at: Timestamp,
    last_used_at: Nullable(Timestamp),
  },
  { title: 'PersonalToken' },
);

export const CreatedTokenSchema = Type.Object(
  {
    ...PersonalTokenSchema.properties,
    token: Type.String({ description: 'The bearer token. It is not stored, and never shown again.' }),
  },
  { title: 'CreatedPersonalToken' },
);

export const NewPersonalToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What the token is for.' }),
    scopes: Scopes,
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Within a year. Without it, the token ends after 90 days.' }),
    ),
  },
  { title: 'NewPersonalToken' },
);
