import { UserAdminService } from '../features/auth/user-admin-service.ts';
import { AvatarFiles } from '../features/profile/avatar-files.ts';
import { PictureMaker } from '../features/profile/picture.ts';
import { ProfileService } from '../features/profile/service.ts';
import { ProfileStore } from '../features/profile/store.ts';
import type { AccountParts } from './accounts.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';
import type { TerminalParts } from './terminals.ts';

/** Users' own profiles, and user administration. */
export function composeProfiles(
  { config, log, objects }: Surroundings,
  { db }: DatabaseParts,
  { users, userAdminStore, passwords, auth }: AccountParts,
  { removals }: ContainerParts,
  { recordings }: TerminalParts,
) {
  const profiles = new ProfileService({
    store: new ProfileStore(db),
    files: new AvatarFiles(objects),
    pictures: new PictureMaker(config.avatars),
    auth,
    log,
  });
  const userAdmin = new UserAdminService({
    store: userAdminStore,
    users,
    passwords,
    auth,
    clearAfter: async ({ user, containers, recordingKeys }) => {
      removals.removeGivenUp(containers);
      await profiles.discardAvatar(user.avatar_key);
      await recordings.discard(recordingKeys);
    },
  });
  return { profiles, userAdmin };
}

export type ProfileParts = ReturnType<typeof composeProfiles>;
