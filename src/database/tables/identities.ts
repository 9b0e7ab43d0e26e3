import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Optional } from './columns.ts';
import type { Role } from './users.ts';

/** What a user gets whose claim has the value. */
export type ClaimRule = { claim: string; value: string; role: Role | null; class_id: number | null };

export type IdentityProvidersTable = {
  id: GeneratedAlways<number>;
  /** In the addresses that the provider knows. */
  slug: string;
  name: string;
  issuer: string;
  client_id: string;
  sealed_secret: Optional<Buffer>;
  scopes: string;
  is_active: Generated<boolean>;
  is_linking_by_email: Generated<boolean>;
  /** All addresses of the provider count as verified. */
  has_verified_emails: Generated<boolean>;
  local_login_off_domains: Generated<string[]>;
  rules: ColumnType<ClaimRule[], string | undefined, string>;
  created_at: Generated<Date>;
};

/** How a provider knows a user. */
export type UserIdentitiesTable = {
  id: GeneratedAlways<number>;
  /** Either the provider or the platform is there. */
  provider_id: Optional<number>;
  platform_id: Optional<number>;
  user_id: number;
  subject: string;
  proven_email: Optional<string>;
  given_role: Optional<Role>;
  created_at: Generated<Date>;
  last_login_at: Optional<Date>;
};

/** A member of a class whom the claims of a provider have brought. */
export type ProviderMembersTable = { class_id: number; user_id: number; provider_id: number };

/** A login at a provider that has ended. */
export type UsedLoginStatesTable = { state: string; expires_at: Date };
