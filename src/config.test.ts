import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';

/** The problems that `loadConfig` reports, one per line. */
function problems(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    const [title, ...lines] = (error as Error).message.split('\n');
    assert.equal(title, 'The configuration is not usable:');
    return lines.map((line) => line.trim());
  }
  return [];
}

describe('the configuration', () => {
  // Long: every default is written out.
  it('has a default for every setting', () => {
    const config = loadConfig({});
    assert.deepEqual(
      {
        host: config.host,
        port: config.port,
        dataDir: config.dataDir,
        corsOrigins: config.corsOrigins,
        isBehindProxy: config.isBehindProxy,
        isCatalogueAnonymous: config.isCatalogueAnonymous,
        secretKey: config.secretKey,
        metricsToken: config.metricsToken,
        url: config.database.url,
        bcryptCost: config.passwords.bcryptCost,
        sandboxes: config.containers.sandboxesPerUser,
        idle: config.containers.sandboxIdleMinutes,
        hours: config.containers.sandboxMaxHours,
        stale: config.lessons.staleSeconds,
        script: config.grading,
        resume: config.terminal.resumeSeconds,
        ping: config.terminal.pingSeconds,
      },
      {
        host: '127.0.0.1',
        port: 8000,
        dataDir: resolve('data'),
        corsOrigins: [],
        isBehindProxy: false,
        isCatalogueAnonymous: false,
        secretKey: undefined,
        metricsToken: undefined,
        url: undefined,
        bcryptCost: 12,
        sandboxes: 3,
        idle: 60,
        hours: 24,
        stale: 300,
        script: {
          ...{ scriptSeconds: 30, outputBytes: 65_536, concurrency: 8, maxWaiting: 500, giveUpMinutes: 10 },
          slow: { afterSeconds: 5, max: 100 },
        },
        resume: 300,
        ping: 25,
      },
    );
  });

  it('treats empty and blank values as unset', () => {
    const empty = {
      PORT: '',
      SECRET_KEY: '',
      DATABASE_URL: '',
      LESSONS_REPO_URL: ' ',
      TRUST_PROXY: '',
      CORS_ORIGINS: ' , ',
    };
    assert.deepEqual(loadConfig(empty), loadConfig({}));
  });

  it('reads numbers, flags and origins', () => {
    const config = loadConfig({
      PORT: ' 0 ',
      TRUST_PROXY: 'Yes',
      ANONYMOUS_CATALOGUE: '1',
      CONTAINER_CPUS: '0.5',
      CORS_ORIGINS: 'https://school.example.com, http://localhost:3000/',
      STOP_TIMEOUT_SECONDS: '3',
      STOP_DELAY_SECONDS: '5',
      PROCESS_URL: 'http://10.0.0.5:80/',
    });
    assert.equal(config.port, 0);
    assert.equal(config.isBehindProxy, true);
    assert.equal(config.isCatalogueAnonymous, true);
    assert.equal(config.containers.cpus, 0.5);
    assert.deepEqual(config.corsOrigins, ['https://school.example.com', 'http://localhost:3000']);
    assert.deepEqual([config.stopTimeout, config.stopDelay], [3000, 5000]);
    assert.equal(config.processUrl, 'http://10.0.0.5');
  });

  const s3 = {
    S3_ENDPOINT: 'https://s3.school.example.com',
    S3_BUCKET: 'platform',
    S3_ACCESS_KEY_ID: 'canary-id',
    S3_SECRET_ACCESS_KEY: 'canary/secret+key=',
    SECRET_KEY: 'k'.repeat(32),
  };

  it('reads a bucket, and stores files in the data folder without one', () => {
    assert.equal(loadConfig({}).s3, undefined);
    assert.deepEqual(loadConfig({ ...s3, S3_PREFIX: '/school/one/' }).s3, {
      endpoint: 'https://s3.school.example.com',
      bucket: 'platform',
      region: 'us-east-1',
      accessKeyId: 'canary-id',
      secretAccessKey: 'canary/secret+key=',
      prefix: 'school/one',
      timeout: 15_000,
      appendDelay: 5000,
    });
  });

  it('refuses half of a bucket', () => {
    const without = (name: string) => problems(Object.fromEntries(Object.entries(s3).filter(([key]) => key !== name)));
    const besides = 'S3_ENDPOINT takes S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY besides it';
    for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      assert.deepEqual(without(name), [besides]);
    assert.deepEqual(without('S3_ENDPOINT'), [
      'S3_BUCKET, S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY is set, but S3_ENDPOINT is not',
    ]);
    assert.match(without('SECRET_KEY').join(), /^S3_ENDPOINT takes SECRET_KEY besides it: .* in each replica$/);
    const wrongly = (env: Record<string, string>) => problems({ ...s3, ...env });
    assert.match(wrongly({ S3_ENDPOINT: 'https://s3.canary.com/path' }).join(), /^S3_ENDPOINT takes scheme, host/);
    assert.match(wrongly({ S3_BUCKET: 'Canary' }).join(), /^S3_BUCKET takes the name of a bucket/);
    assert.match(wrongly({ S3_REGION: 'canary region' }).join(), /^S3_REGION takes a region/);
    for (const prefix of ['../canary', 'canary//x', 'a canary', './x'])
      assert.match(wrongly({ S3_PREFIX: prefix }).join(), /^S3_PREFIX takes a path/);
    // Of a file that ends with a line break.
    assert.match(wrongly({ S3_SECRET_ACCESS_KEY: 'canary\n' }).join(), /^S3_SECRET_ACCESS_KEY contains white space/);
  });

  const wrong: [string, Record<string, string>, string][] = [
    ['a port that is text', { PORT: 'canary' }, 'PORT takes a whole number from 0 to 65535'],
    ['a port out of range', { PORT: '65536' }, 'PORT takes a whole number from 0 to 65535'],
    ['an exponent', { PORT: '1e3' }, 'PORT takes a whole number from 0 to 65535'],
    [
      'an unknown time zone',
      { SCHOOL_TIME_ZONE: 'Canary/Nest' },
      'SCHOOL_TIME_ZONE takes a time zone such as Europe/Berlin',
    ],
    ['a fraction', { BCRYPT_COST: '12.5' }, 'BCRYPT_COST takes a whole number from 4 to 16'],
    ['a cheap hash', { BCRYPT_COST: '3' }, 'BCRYPT_COST takes a whole number from 4 to 16'],
    ['a decimal', { CONTAINER_CPUS: 'canary' }, 'CONTAINER_CPUS takes a number from 0.05 to 64'],
    ['a flag', { ANONYMOUS_CATALOGUE: 'canary' }, 'ANONYMOUS_CATALOGUE takes true or false'],
    ['a choice', { LOG_LEVEL: 'canary' }, 'LOG_LEVEL takes one of fatal, error, warn, info, debug, trace, silent'],
    ['any origin', { CORS_ORIGINS: '*' }, 'CORS_ORIGINS never takes a wildcard'],
    ['a wildcard in an origin', { CORS_ORIGINS: 'https://*.canary.com' }, 'CORS_ORIGINS never takes a wildcard'],
    ['the null origin', { CORS_ORIGINS: 'null' }, 'CORS_ORIGINS takes origins such as https://school.example.com'],
    [
      'an origin with a path',
      { CORS_ORIGINS: 'https://canary.com/x' },
      'CORS_ORIGINS takes origins such as https://school.example.com',
    ],
    ...['10.0.0.5:8000', 'localhost:8000', 'ftp://canary', 'http://canary/x', 'http://a:canary@b'].map(
      (url): [string, Record<string, string>, string] => [
        `${url} for another process`,
        { PROCESS_URL: url },
        'PROCESS_URL takes scheme, host and port, such as http://10.0.0.5:8000',
      ],
    ),
    [
      'a database by its name alone',
      { DATABASE_URL: 'canary' },
      'DATABASE_URL takes an address such as postgresql://user:password@host:5432/database',
    ],
    ['a host alone', { CORS_ORIGINS: 'canary.com' }, 'CORS_ORIGINS takes origins such as https://school.example.com'],
    [
      'a short key',
      { SECRET_KEY: 'canary-of-31-bytes-0123456789ab' },
      'SECRET_KEY is too short: it takes at least 32 bytes',
    ],
    ['a short metrics token', { METRICS_TOKEN: 'canary' }, 'METRICS_TOKEN is too short: it takes at least 16 bytes'],
    ['a way to register', { REGISTRATION: 'canary' }, 'REGISTRATION takes one of open, domain, code, closed'],
    ['no domain', { REGISTRATION: 'domain' }, 'REGISTRATION is domain, but REGISTRATION_DOMAINS names none'],
    [
      'domains for nothing',
      { REGISTRATION_DOMAINS: 'canary.example.com' },
      'REGISTRATION_DOMAINS is set, but REGISTRATION is not domain',
    ],
    [
      'an address for a domain',
      { REGISTRATION: 'domain', REGISTRATION_DOMAINS: '@canary' },
      'REGISTRATION_DOMAINS takes domains such as school.example.com',
    ],
    [
      'an SSH key for nothing',
      { LESSONS_SSH_KEY_PATH: '/canary' },
      'LESSONS_SSH_KEY_PATH is set, but LESSONS_REPO_URL is not',
    ],
    ['a long password', { ADMIN_PASSWORD: 'canary'.repeat(13) }, 'ADMIN_PASSWORD takes 8 characters to 72 bytes'],
    [
      'a long password of few characters',
      { ADMIN_PASSWORD: 'é'.repeat(37) },
      'ADMIN_PASSWORD takes 8 characters to 72 bytes',
    ],
    ['a short password', { ADMIN_PASSWORD: 'canary' }, 'ADMIN_PASSWORD takes 8 characters to 72 bytes'],
    ['a username', { ADMIN_USERNAME: 'the canary' }, 'ADMIN_USERNAME takes 3 to 50 letters, digits, _ . and -'],
  ];
  for (const [name, env, problem] of wrong) {
    it(`refuses ${name}, naming the variable and not the value`, () => {
      assert.deepEqual(problems(env), [problem]);
      assert.ok(!problems(env).join().includes('canary'));
    });
  }

  it('has room for one warm container of any size', () => {
    const warmMemoryOf = (env: Record<string, string>) => loadConfig(env).containers.warmMemoryMb;
    assert.deepEqual([warmMemoryOf({}), warmMemoryOf({ CONTAINER_MEMORY_MB: '4096' })], [2048, 4096]);
  });

  it('stops no sandbox for room while a lost connection can return to its shell', () => {
    const minutesOf = (env: Record<string, string>) => loadConfig(env).containers.sandboxYieldMinutes;
    assert.deepEqual([minutesOf({}), minutesOf({ TERMINAL_RESUME_SECONDS: '3600' })], [10, 61]);
  });

  it('takes values of tests from them alone, and in a process that they start', () => {
    const { containers, reconcileInterval } = loadConfig({ SERVICE_TUNING: '{"setupSeconds":4,"reconcileSeconds":5}' });
    assert.deepEqual([containers.setupSeconds, reconcileInterval], [4, 5000]);
    assert.equal(loadConfig({}, { reconcileSeconds: 2 }).reconcileInterval, 2000);
    for (const SERVICE_TUNING of ['{"setupSecond":4}', '{"setupSeconds":"4"}', '[]x', 'null', '{"__proto__x":1}'])
      assert.throws(() => loadConfig({ SERVICE_TUNING }));
  });

  it('names the variables that were settings', () => {
    const { ignoredVariables, reconcileInterval } = loadConfig({
      RECONCILE_SECONDS: '1',
      TERMINALS_PER_USER: '',
      X: '1',
    });
    assert.deepEqual([ignoredVariables, reconcileInterval], [['RECONCILE_SECONDS'], 30_000]);
  });

  it('counts a key in bytes', () => {
    assert.equal(loadConfig({ SECRET_KEY: 'é'.repeat(16) }).secretKey, 'é'.repeat(16));
    assert.equal(problems({ SECRET_KEY: 'x'.repeat(31) }).length, 1);
  });

  it('reports all problems together', () => {
    const env = { PORT: 'x', SECRET_KEY: 'x', CORS_ORIGINS: '*', LOG_LEVEL: 'x', TERMINALS_MAX: '0' };
    const named = problems(env).map((line) => line.split(' ', 1)[0] ?? '');
    assert.deepEqual(named.sort(), Object.keys(env).sort());
  });

  it('reads addresses and networks for containers with internet', () => {
    const { internet } = loadConfig({
      INTERNET_DNS: '10.0.0.2, 10.0.0.3',
      INTERNET_BLOCKED: '203.0.113.0/24,192.0.2.1',
    }).engine;
    assert.deepEqual(internet, { dns: ['10.0.0.2', '10.0.0.3'], blocked: ['203.0.113.0/24', '192.0.2.1'] });
    for (const INTERNET_DNS of ['one', '10.0.0.0/8', '::1', '1.1.1.1;reboot'])
      assert.throws(() => loadConfig({ INTERNET_DNS }));
    for (const INTERNET_BLOCKED of ['10.0.0.0/33', '10/8', 'fd00::/8'])
      assert.throws(() => loadConfig({ INTERNET_BLOCKED }));
  });
});
