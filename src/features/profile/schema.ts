import { Type } from 'typebox';
import { Email, FullName } from '../../http/protocol/schemas.ts';
import { UserSchema } from '../auth/schema.ts';

const bio = Type.String({ maxLength: 2000 });

const has_password = Type.Boolean({
  description: 'False: the account has no password, and its user logs in otherwise.',
});

export const ProfileSchema = Type.Object({ ...UserSchema.properties, bio, has_password }, { title: 'Profile' });

export const ProfileBody = Type.Object(
  {
    full_name: Type.Optional(FullName),
    email: Type.Optional(Email),
    bio: Type.Optional(bio),
  },
  { title: 'ProfileChanges' },
);

/** Only for the API document: the route reads the parts of the body itself. */
export const AvatarBody = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'PNG, JPEG, WebP or GIF. A field of any other name is taken as well.',
  }),
});

export const AvatarParams = Type.Object({
  file: Type.String({ description: 'As in `avatar_url`: the key, and `.webp`.' }),
});
