import { outsideFetch } from '../../packages/outside-requests/outside-fetch.ts';
import { keyedHash } from '../database/keyed-hash.ts';
import { TextSeal } from '../database/sealed-text.ts';
import type { ClassStore } from '../features/classes/store.ts';
import type { ProviderAccounts } from '../features/identity-providers/accounts.ts';
import { CourseStore } from '../features/lti/course-store.ts';
import { PlatformGradeStore } from '../features/lti/grade-store.ts';
import { PlatformGrades } from '../features/lti/grades.ts';
import { KeyStore } from '../features/lti/key-store.ts';
import { Keys } from '../features/lti/keys.ts';
import { LaunchService } from '../features/lti/launches.ts';
import { PlatformMemberStore } from '../features/lti/member-store.ts';
import { PlatformMembers } from '../features/lti/members.ts';
import { Messages } from '../features/lti/messages.ts';
import { PlatformAccess } from '../features/lti/platform-access.ts';
import { PlatformStore } from '../features/lti/platform-store.ts';
import { PlatformService } from '../features/lti/platforms.ts';
import { RegistrationService } from '../features/lti/registration.ts';
import type { AccountParts } from './accounts.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Of an answer of a platform: its keys, its description, the members of a page, a grade. */
const maxBytes = 2 * 1024 * 1024;
/** For one request, for which a user can wait. */
const timeoutMs = 10_000;

/** The platforms of LTI whose courses open this service. */
export function composeLti(
  { config, log }: Pick<Surroundings, 'config' | 'log'>,
  { db }: Pick<DatabaseParts, 'db'>,
  { secretKey, auth, identities }: AccountParts,
  { accounts, classes }: { accounts: ProviderAccounts; classes: ClassStore },
) {
  const fetch = outsideFetch({ allowsPrivate: config.allowsPrivateProviders, maxBytes, timeoutMs });
  const [seal, hash] = [new TextSeal(secretKey), keyedHash(secretKey)];
  const [store, courses] = [new PlatformStore(db), new CourseStore(db)];
  const [memberStore, gradeStore] = [new PlatformMemberStore(db), new PlatformGradeStore(db)];
  const keys = new Keys({ store: new KeyStore(db), seal });
  const messages = new Messages(fetch);
  const access = new PlatformAccess(keys, fetch);
  return {
    ...{ keys, store, courses, memberStore, gradeStore },
    members: new PlatformMembers({ store: memberStore, platforms: store, access, accounts, log }),
    grades: new PlatformGrades({ store: gradeStore, platforms: store, access, log }),
    platforms: new PlatformService(store, messages, access),
    registration: new RegistrationService({ store, identities, fetch, seal, hash }),
    launches: new LaunchService({
      ...{
        platforms: store,
        courses,
        members: memberStore,
        messages,
        keys,
        identities,
        accounts,
        auth,
        seal,
        hash,
        log,
      },
      createClass: (caller, fields) => classes.create(caller, fields),
    }),
  };
}
