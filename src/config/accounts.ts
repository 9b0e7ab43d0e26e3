import { availableParallelism } from 'node:os';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** Users: how they register and log in, and what protects their accounts. */
export function readAccounts(env: EnvReader, tuning: Tuning) {
  env.part = 'Accounts';
  /** Several limits of a network follow from it. */
  const peoplePerAddress = env.integer('PEOPLE_PER_ADDRESS', 500, {
    min: 1,
    max: 1_000_000,
    about: 'people who may be behind one address; the [limits of a network](operating.md#registration) follow from it',
  });
  return {
    /** Never logged: the configuration is not printed anywhere. Undefined: a key is generated and stored in the data folder. */
    secretKey: env.secret('SECRET_KEY', {
      minBytes: 32,
      usually: 'created at the first start',
      about: 'signs tokens. Replicas share it',
    }),
    firstAdministrator: readFirstAdministrator(env),
    passwords: {
      bcryptCost: env.integer('BCRYPT_COST', 12, { min: 4, max: 16, about: 'cost of the hash of a password' }),
      /** Concurrent hashes, each in a thread at a reduced priority. */
      concurrency: env.integer('BCRYPT_CONCURRENCY', Math.min(64, availableParallelism()), {
        min: 1,
        max: 64,
        usually: "the machine's cores",
        about: 'concurrent hashes, each in a thread at a reduced priority',
      }),
      /** Queued hashes in total and per network; a login beyond them is answered with 503 or 429. */
      maxWaiting: 2 * peoplePerAddress,
      maxWaitingPerNetwork: peoplePerAddress,
    },
    logins: { ...loginLimits(tuning), peoplePerAddress },
    registration: readRegistration(env),
    /** Identity providers and receivers of webhooks in the own network, also without TLS. */
    allowsPrivateProviders: env.flag('PRIVATE_PROVIDERS', false, {
      about:
        'whether [identity providers](operating.md#identity-providers) and [webhooks](operating.md#webhooks) may have private addresses, and addresses without TLS: for intranets and trials',
    }),
    webhooks: {
      /** Milliseconds between two searches for what is due. */
      interval: 1000 * tuning.webhookRoundSeconds,
      retrySeconds: tuning.webhookRetrySeconds,
    },
    imports: {
      maxLines: tuning.maxImportLines,
      /** Days for which an invitation is valid: those who are away for two weeks still use it. */
      invitationDays: 30,
    },
    avatars: {
      maxBytes: tuning.maxAvatarBytes,
      /** The photo of a good camera. Decoded it is 160 MB. */
      maxPixels: 40_000_000,
      concurrency: 2,
      maxWaiting: 20,
    },
  };
}

function readFirstAdministrator(env: EnvReader) {
  const administrator = {
    username: env.text('ADMIN_USERNAME', 'admin', { about: 'name of the first administrator of an empty database' }),
    email: env.text('ADMIN_EMAIL', 'admin@platform.example.com', { about: 'their address' }),
    password: env.secret('ADMIN_PASSWORD', {
      usually: 'generated, and printed once',
      about: 'their password, 8 characters to 72 bytes',
    }),
  };
  const { username, password } = administrator;
  if (!/^[A-Za-z0-9_.-]{3,50}$/.test(username))
    env.problems.push('ADMIN_USERNAME takes 3 to 50 letters, digits, _ . and -');
  // A longer password would be hashed only in part and then never match.
  if (password !== undefined && (Array.from(password).length < 8 || Buffer.byteLength(password) > 72))
    env.problems.push('ADMIN_PASSWORD takes 8 characters to 72 bytes');
  return administrator;
}

function readRegistration(env: EnvReader) {
  const registration = {
    mode: env.oneOf('REGISTRATION', 'open', ['open', 'domain', 'code', 'closed'], {
      about: 'who may [register](operating.md#registration)',
    }),
    /** Domains of e-mail addresses for the mode `domain`, in lower case. */
    domains: env.domains('REGISTRATION_DOMAINS', {
      about: 'with `domain`: those domains; subdomains are not included',
    }),
  };
  const { mode, domains } = registration;
  if (mode === 'domain' && domains.length === 0)
    env.problems.push('REGISTRATION is domain, but REGISTRATION_DOMAINS names none');
  if (mode !== 'domain' && domains.length > 0)
    env.problems.push('REGISTRATION_DOMAINS is set, but REGISTRATION is not domain');
  return registration;
}

function loginLimits(tuning: Tuning) {
  const blockSeconds = tuning.loginBlockSeconds;
  return {
    failuresPerAccount: tuning.loginFailuresPerAccount,
    /** First wait of an account. Each further failure doubles it, up to the maximum: its owner waits like the attacker. */
    blockSeconds,
    maxBlockSeconds: Math.max(900, blockSeconds),
    /** Seconds after an account's last failure when its failures are reset. */
    forgetSeconds: 6 * 3600,
    /** Known networks per account, and days since the last login from one until it is forgotten: longer than holidays. */
    devicesPerAccount: tuning.knownDevicesPerAccount,
    deviceDays: 90,
  };
}
