import { keyedHash } from '../database/keyed-hash.ts';
import { runAlone } from '../database/processes/alone.ts';
import { TextSeal } from '../database/sealed-text.ts';
import { signingKey } from '../database/signing-key.ts';
import { KnownDeviceStore } from '../features/auth/known-device-store.ts';
import { NetworkLimitStore } from '../features/auth/limits/network-limit-store.ts';
import { NetworkLimits } from '../features/auth/limits/network-limits.ts';
import { LoginThrottle } from '../features/auth/limits/throttle.ts';
import { LoginCookieStore } from '../features/auth/login-cookie-store.ts';
import { LoginStore } from '../features/auth/login-store.ts';
import { PasskeyService } from '../features/auth/passkeys/service.ts';
import { PasskeyStore } from '../features/auth/passkeys/store.ts';
import { PasswordResetService } from '../features/auth/password-reset/service.ts';
import { PasswordResetStore } from '../features/auth/password-reset/store.ts';
import { Passwords } from '../features/auth/passwords/passwords.ts';
import { RegistrationCodeStore } from '../features/auth/registration/code-store.ts';
import { InvitationService } from '../features/auth/registration/invitation-service.ts';
import { InvitationStore } from '../features/auth/registration/invitation-store.ts';
import { RegistrationService } from '../features/auth/registration/service.ts';
import { SecondFactorService } from '../features/auth/second-factor/service.ts';
import { SecondFactorStore } from '../features/auth/second-factor/store.ts';
import { AuthService } from '../features/auth/service.ts';
import { UserStore } from '../features/auth/store.ts';
import { Tokens, tokenLifetime } from '../features/auth/tokens.ts';
import { UserImports } from '../features/auth/users/import.ts';
import { UserImportStore } from '../features/auth/users/import-store.ts';
import { UserAdminStore } from '../features/auth/users/store.ts';
import { StudentViewStore } from '../features/classes/student-view-store.ts';
import { IdentityStore } from '../features/identity-providers/identity-store.ts';
import { ProviderStore } from '../features/identity-providers/provider-store.ts';
import { Providers } from '../features/identity-providers/providers.ts';
import { ServiceAccountStore } from '../features/personal-tokens/service-account-store.ts';
import { PersonalTokenStore } from '../features/personal-tokens/store.ts';
import { readOrCreateSecretKey } from '../values/secret-key.ts';
import type { DatabaseParts } from './database.ts';
import { composeMail } from './mail.ts';
import type { Surroundings } from './parts.ts';

/** Users, their logins and their registration. */
export async function composeAccounts(surroundings: Surroundings, database: DatabaseParts) {
  const { config, log, cleanup } = surroundings;
  const { db, pool, feed } = database;
  const secretKey = config.secretKey ?? (await readOrCreateSecretKey(config.dataDir));
  const hash = keyedHash(secretKey);
  const mail = composeMail(surroundings, database, secretKey);
  const networkLimitStore = new NetworkLimitStore(db);
  const networkLimits = cleanup.use(new NetworkLimits(networkLimitStore, log));
  const onNetworkLimit = (limit: string, network: string) => networkLimits.meet(limit, network);
  const throttle = new LoginThrottle(db, { ...config.logins, onNetworkLimit }, hash);
  const devices = new KnownDeviceStore(db, config.logins, hash);
  const loginCookies = new LoginCookieStore(db, {
    ...{ hash, lifetime: tokenLifetime },
    onReuse: (user) => log.warn({ user }, 'a cookie of the pages came back after its replacement: its login has ended'),
  });
  const users = new UserStore(db);
  const seal = new TextSeal(secretKey);
  const logins = new LoginStore(db, tokenLifetime);
  const passwords = new Passwords({ ...config.passwords, onNetworkLimit });
  const personalTokens = new PersonalTokenStore(db);
  const studentViews = new StudentViewStore(db);
  const secondFactors = new SecondFactorService({
    ...{ store: new SecondFactorStore(db), seal, hash, throttle, devices },
    forget: (id: number) => auth.forget(id),
  });
  const providerStore = new ProviderStore(db);
  const providers = new Providers(providerStore, feed);
  const auth = new AuthService({
    ...{
      users,
      feed,
      views: studentViews,
      personalTokens,
      tokens: new Tokens(secretKey),
      passwords,
      throttle,
      devices,
      cookies: loginCookies,
      logins,
      takeCode: (userId: number, code: string) => secondFactors.takeCode(userId, code),
      hasApp: (userId: number) => secondFactors.hasApp(userId),
    },
    hasLocalLogin: (user) => providers.hasLocalLogin(user),
    instructorScope: config.instructorScope,
  });
  const identities = new IdentityStore(db);
  const passkeys = new PasskeyService({
    ...{ store: new PasskeyStore(db), auth, hash, publicUrl: config.publicUrl },
    spend: (used, expiresAt) => identities.spendState(used, expiresAt),
    hasLocalLogin: (user) => providers.hasLocalLogin(user),
  });
  const codes = new RegistrationCodeStore(db, config.catalogue);
  const registration = new RegistrationService({
    ...{ rules: config.registration, users, codes, devices, passwords, throttle },
    isLocalLoginOff: (email) => providers.isLocalLoginOff(email),
  });
  const invitations = new InvitationStore(db, hash, config.imports.invitationDays, mail);
  const invitationService = new InvitationService({
    ...{ store: invitations, passwords, throttle, devices, forget: (id: number) => auth.forget(id) },
  });
  const passwordResets = cleanup.use(
    new PasswordResetService({
      ...{
        store: new PasswordResetStore(db, hash),
        passwords,
        throttle,
        mail,
        forget: (id: number) => auth.forget(id),
      },
      onError: (error) => log.warn({ err: error }, 'a link could not be written to a user'),
    }),
  );
  const userAdminStore = new UserAdminStore(db, pool, throttle);
  const userImports = new UserImports({
    store: new UserImportStore(db),
    users: userAdminStore,
    ...{ invitations, passwords, seal, maxUsers: config.imports.maxLines },
    alone: async (work) => await runAlone(pool, 'user import', work),
    onError: (error) => log.warn({ err: error }, 'an import of users was interrupted'),
  });
  return {
    secretKey,
    signingKey: signingKey(secretKey),
    throttle,
    networkLimitStore,
    onNetworkLimit,
    devices,
    loginCookies,
    users,
    passwords,
    auth,
    logins,
    secondFactors,
    studentViews,
    personalTokens,
    serviceAccounts: new ServiceAccountStore(db),
    identities,
    passkeys,
    providerStore,
    providers,
    codes,
    registration,
    invitations,
    invitationService,
    mail,
    passwordResets,
    userAdminStore,
    userImports,
  };
}

export type AccountParts = Awaited<ReturnType<typeof composeAccounts>>;
