import { keyedHash } from '../database/keyed-hash.ts';
import { KnownDeviceStore } from '../features/auth/known-device-store.ts';
import { Passwords } from '../features/auth/passwords.ts';
import { RegistrationCodeStore } from '../features/auth/registration-code-store.ts';
import { RegistrationCountStore } from '../features/auth/registration-count-store.ts';
import { RegistrationService } from '../features/auth/registration-service.ts';
import { AuthService } from '../features/auth/service.ts';
import { UserStore } from '../features/auth/store.ts';
import { LoginThrottle } from '../features/auth/throttle.ts';
import { Tokens } from '../features/auth/tokens.ts';
import { readOrCreateSecretKey } from '../secret-key.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Users, their logins and their registration. */
export async function composeAccounts({ config }: Surroundings, { db, feed }: DatabaseParts) {
  const secretKey = config.secretKey ?? (await readOrCreateSecretKey(config.dataDir));
  const hash = keyedHash(secretKey);
  const throttle = new LoginThrottle(db, config.logins, hash);
  const devices = new KnownDeviceStore(db, config.logins, hash);
  const users = new UserStore(db);
  const passwords = new Passwords(config.passwords);
  const auth = new AuthService({
    ...{ users, feed, tokens: new Tokens(secretKey), passwords, throttle, devices },
    instructorScope: config.instructorScope,
  });
  const codes = new RegistrationCodeStore(db, config.catalogue);
  const counts = new RegistrationCountStore(db, config.registration.perNetworkHour, hash);
  const registration = new RegistrationService({
    ...{ rules: config.registration, users, codes, counts, devices, passwords, throttle },
  });
  return { secretKey, throttle, devices, users, passwords, auth, codes, counts, registration };
}

export type AccountParts = Awaited<ReturnType<typeof composeAccounts>>;
