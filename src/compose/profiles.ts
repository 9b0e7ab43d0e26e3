import { fitsTar, tarEnd, tarHeader, tarPadding } from '../../packages/ssh/tar.ts';
import type { Config } from '../config.ts';
import { passkeyPlace } from '../features/auth/passkeys/service.ts';
import { UserAdminService } from '../features/auth/users/service.ts';
import { AvatarFiles } from '../features/profile/avatar-files.ts';
import { DataExport } from '../features/profile/data-export.ts';
import { DataStore } from '../features/profile/data-store.ts';
import { PictureMaker } from '../features/profile/picture.ts';
import { ProfileService } from '../features/profile/service.ts';
import { ProfileStore } from '../features/profile/store.ts';
import { RecordingFiles } from '../features/recordings/recording-files.ts';
import { RetentionService } from '../features/retention/service.ts';
import { RetentionStore } from '../features/retention/store.ts';
import { SiteService } from '../features/site/service.ts';
import { SiteStore } from '../features/site/store.ts';
import type { AccountParts } from './accounts.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';
import type { TerminalParts } from './terminals.ts';

/** Users' own profiles, the settings of the installation, and user administration. */
export function composeProfiles(
  { config, log, objects }: Surroundings,
  { db, feed }: DatabaseParts,
  { users, userAdminStore, passwords, auth, mail, passwordResets }: AccountParts,
  { removals, evidence }: ContainerParts,
  { recordings }: TerminalParts,
) {
  const pictureParts = { files: new AvatarFiles(objects), pictures: new PictureMaker(config.avatars) };
  const profiles = new ProfileService({
    ...pictureParts,
    store: new ProfileStore(db),
    auth,
    sendsMail: mail.isOn,
    checkAddress: (caller, network) => passwordResets.checkChangedAddress(caller, network),
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
  const site = new SiteService({
    ...pictureParts,
    ...{ store: new SiteStore(db), feed, profiles, isCatalogueOpen: config.isCatalogueOpen },
    courseCreators: config.courseCreators,
    hasMail: mail.isOn,
    hasPasskeys: passkeyPlace(config.publicUrl) !== undefined,
    environment: environmentOf(config),
  });
  const retention = new RetentionService(new RetentionStore(db, mail), userAdmin);
  const ownData = new DataExport({
    ...{ store: new DataStore(db), avatars: pictureParts.files, recordings: new RecordingFiles(objects) },
    machines: evidence,
    tar: { header: tarHeader, padding: tarPadding, fits: fitsTar, end: tarEnd },
  });
  return { profiles, userAdmin, site, retention, ownData };
}

/** What administrators see beside their own settings. None of these values is a secret. */
const environmentOf = ({ mail, registration, recordings, evidence, deletions, notifications, ...config }: Config) =>
  [
    ['REGISTRATION', registration.mode],
    ['REGISTRATION_DOMAINS', registration.domains.join(', ')],
    ['CATALOGUE_IS_OPEN', config.isCatalogueOpen],
    ['ANONYMOUS_CATALOGUE', config.isCatalogueAnonymous],
    ['INSTRUCTOR_SCOPE', config.instructorScope],
    ['SCHOOL_TIME_ZONE', config.schoolTimeZone ?? ''],
    ['SMTP_URL', mail.smtp ? `${mail.smtp.host}:${mail.smtp.port}` : ''],
    ['MAIL_SENDER', mail.smtp?.sender ?? ''],
    ['RECORDING_DAYS', recordings.days],
    ['EVIDENCE_DAYS', evidence.days],
    ['DELETED_DAYS', deletions.days],
    ['NOTIFICATION_DAYS', notifications.days],
  ].map(([name, value]) => ({ name: String(name), value: String(value) }));

export type ProfileParts = ReturnType<typeof composeProfiles>;
