import { execFile, type SpawnOptions } from 'node:child_process';
import { chown, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const systemUser = 'learning-platform';

/** The user that runs the server's programs. PostgreSQL refuses root, so a service that runs as root uses another one. */
export type ServerAccount = {
  uid: number;
  gid: number;
  /** Its name, if it is not the current user. */
  name?: string;
};

export type ServerCommand = { program: string; args: string[]; options: SpawnOptions };

/**
 * @param clusterDir if it exists, its owner is the account, even if a `postgres` user is added later
 * @throws Error that names both users if the folder belongs to another user and the service does not run as root
 */
export async function chooseServerAccount(clusterDir: string): Promise<ServerAccount> {
  const [uid, gid] = [process.getuid?.() ?? -1, process.getgid?.() ?? -1];
  const owner = await lstat(clusterDir).then(
    (stats) => ({ uid: stats.uid, gid: stats.gid }),
    () => undefined,
  );
  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new Error(
        `${clusterDir} belongs to the user with id ${owner.uid}, and the service runs as id ${uid}: ` +
          `run it as that user, or make the folder its own with chown -R ${uid}:${gid}`,
      );
    }
    return { uid, gid };
  }
  if (process.platform !== 'linux') {
    throw new Error('PostgreSQL does not run as root: start the service as a normal user, or set DATABASE_URL');
  }
  if (owner && owner.uid !== 0) return { ...owner, name: `id ${owner.uid}` };
  const account = (await findUser('postgres')) ?? (await findUser(systemUser)) ?? (await createUser());
  // A folder restored by root from a backup: the server's account must own it.
  if (owner) await giveFolder(clusterDir, account);
  return account;
}

/** Changes the owner of a folder and its content to the account. */
export async function giveFolder(path: string, account: ServerAccount): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await chown(path, account.uid, account.gid);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
}

async function findUser(name: string): Promise<ServerAccount | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  const fields = lines.map((line) => line.split(':')).find(([user]) => user === name);
  return fields ? { name, uid: Number(fields[2]), gid: Number(fields[3]) } : undefined;
}

async function createUser(): Promise<ServerAccount> {
  await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    systemUser,
  ]).catch(() => undefined);
  const account = (await findUser(systemUser)) ?? (await findUser('nobody'));
  if (!account) throw new Error('PostgreSQL does not run as root, and no other user could be found or created for it');
  return account;
}

/**
 * Builds the command that runs programs as the account. If a parent folder of `paths` admits only root, the programs get the
 * capability CAP_DAC_READ_SEARCH to traverse it. They can still write only to files of the account.
 * @throws Error if a path cannot be reached even then
 */
export async function commandsOf(
  account: ServerAccount,
  environment: Record<string, string>,
  paths: string[],
): Promise<(program: string, args: string[]) => ServerCommand> {
  const options: SpawnOptions = {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...environment },
  };
  if (process.getuid?.() !== 0) return (program, args) => ({ program, args, options });
  const asAccount = ['--reuid', `${account.uid}`, '--regid', `${account.gid}`, '--clear-groups', '--no-new-privs'];
  const wrapped =
    (capabilities: string[]) =>
    (program: string, args: string[]): ServerCommand => ({
      program: 'setpriv',
      args: [...asAccount, ...capabilities, '--', program, ...args],
      options,
    });
  const plain = wrapped(['--inh-caps=-all']);
  // Without this secure bit access(2), which PostgreSQL uses, ignores the capability.
  const capability = [
    '--inh-caps=-all,+dac_read_search',
    '--ambient-caps=+dac_read_search',
    '--securebits=+no_setuid_fixup',
  ];
  const reading = wrapped(capability);
  if (await canReach(plain, paths)) return plain;
  if (await canReach(reading, paths)) return reading;
  throw new Error(
    `PostgreSQL does not run as root, and the user ${account.name ?? account.uid} cannot reach ${paths.join(' and ')}: ` +
      'move the service or DATA_DIR to a folder that others may enter, or set DATABASE_URL',
  );
}

async function canReach(
  command: (program: string, args: string[]) => ServerCommand,
  paths: string[],
): Promise<boolean> {
  const conditions = paths.flatMap((path, index) => [...(index > 0 ? ['-a'] : []), '-x', path]);
  const { program, args, options } = command('test', conditions);
  try {
    await run(program, args, { cwd: '/', env: options.env });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(
        'PostgreSQL does not run as root, and setpriv (package util-linux) is missing to run it as another user',
        {
          cause: error,
        },
      );
    }
    return false;
  }
}
