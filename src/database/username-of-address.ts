import { type RawBuilder, sql } from 'kysely';

/** A username that is the address of its account follows a new address, so that nobody's name becomes the login of somebody else. */
export const withAddress = (email: string | undefined): { username?: RawBuilder<string> } =>
  email === undefined
    ? {}
    : { username: sql<string>`case when position('@' in username) > 0 then ${email} else username end` };
