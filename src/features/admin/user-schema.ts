import { type Static, Type } from 'typebox';
import { OneOf } from '../../http/protocol/schemas.ts';
import { RegisterBody } from '../auth/schema.ts';

export const Role = OneOf('student', 'instructor', 'admin');
const { username, email, password, full_name } = RegisterBody.properties;

export const UserFilterQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the username, the e-mail address or the full name.' }),
  ),
  role: Type.Optional(Role),
  is_active: Type.Optional(Type.Boolean()),
});

const who = { username, email, password, full_name };
export const NewUser = Type.Object({ ...who, role: Type.Optional(Role) }, { title: 'NewUser' });
/** A line of a CSV. */
export const ImportedUser = Type.Object({ ...who, role: Role });
/** A filter without the fields that the request left out. */
export const filterOf = ({ q, role, is_active }: Static<typeof UserFilterQuery>) => ({
  ...(q === undefined ? {} : { q }),
  ...(role === undefined ? {} : { role }),
  ...(is_active === undefined ? {} : { is_active }),
});
