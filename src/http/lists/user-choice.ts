import { type Static, Type } from 'typebox';
import type { UserChoice } from '../../database/lists/user-choice.ts';
import { InvalidError } from '../../errors.ts';
import { Id } from '../protocol/schemas.ts';

/** The fields of a body that names one user. */
export const userChoiceFields = {
  user_id: Type.Optional(Id),
  username: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'A username or an e-mail address.' }),
  ),
};
const Named = Type.Object(userChoiceFields);

/** @throws InvalidError unless the body names the user in exactly one way */
export function userChoiceOf({ user_id, username }: Static<typeof Named>): UserChoice {
  if (user_id !== undefined && username === undefined) return { user_id };
  if (user_id === undefined && username !== undefined) return { username };
  const isMissing = user_id === undefined;
  const msg = isMissing ? 'Field required' : 'Value error, a user is given by user_id or by username, not by both';
  throw new InvalidError([{ loc: ['body', 'user_id'], msg, type: isMissing ? 'missing' : 'value_error' }]);
}
