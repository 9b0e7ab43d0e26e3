import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fingerprintOf, GitError } from './git-failure.ts';
import { standardPath } from './git-program.ts';
import { sshServerOf } from './repository-address.ts';

export type HostKeyOptions = {
  /** The folder of the list that is written. */
  home: string;
  /** The operator's list. */
  knownHostsPath?: string | undefined;
  timeoutSeconds: number;
  path?: string | undefined;
};

/** Why a host key is not accepted: the address is not of SSH, the operator keeps the list, or the server has another key by now. */
export type HostKeyOutcome = 'accepted' | 'not_ssh' | 'operators_list' | 'other_key';

/**
 * Replaces what is known of an SSH server since the first contact by a key that it has now.
 * @param fingerprint of the key that a person has compared
 * @throws GitError if the server does not show its keys
 */
export async function acceptHostKey(
  options: HostKeyOptions,
  url: string,
  fingerprint: string,
): Promise<HostKeyOutcome> {
  const server = sshServerOf(url);
  if (server === undefined) return 'not_ssh';
  if (options.knownHostsPath !== undefined) return 'operators_list';
  const line = (await scan(options, server)).find((key) => fingerprintOf(key.split(' ')[1] ?? '') === fingerprint);
  if (line === undefined) return 'other_key';
  // The form that ssh itself writes.
  const name = server.port === 22 ? server.host : `[${server.host}]:${server.port}`;
  const path = join(options.home, 'known_hosts');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const others = known
    .split('\n')
    .filter((each) => each !== '' && !(each.split(' ')[0] ?? '').split(',').includes(name));
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${[...others, `${name} ${line}`].join('\n')}\n`, { mode: 0o600 });
  await rename(draft, path);
  return 'accepted';
}

/** The keys that a server has now, as `TYPE BASE64`. Nothing is sent that admits to it. */
function scan(
  { timeoutSeconds, path = standardPath }: HostKeyOptions,
  { host, port }: { host: string; port: number },
): Promise<string[]> {
  const seconds = Math.max(1, Math.ceil(timeoutSeconds));
  return new Promise((settle, reject) => {
    execFile(
      'ssh-keyscan',
      ['-T', `${seconds}`, '-p', `${port}`, '--', host],
      { env: { PATH: path, LANG: 'C.UTF-8' }, timeout: 2000 * seconds },
      (_error, output, complaints) => {
        const keys = output.split('\n').flatMap((text) => /^[^#\s]\S* (\S+ [A-Za-z0-9+/=]+)$/.exec(text)?.[1] ?? []);
        if (keys.length > 0) return settle(keys);
        // ssh-keyscan is silent about a server that it does not reach.
        return reject(complaints.trim() ? GitError.fromOutput(complaints) : new GitError('git_connection_lost'));
      },
    );
  });
}
