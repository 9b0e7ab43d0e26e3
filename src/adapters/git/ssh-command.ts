import { resolve } from 'node:path';

export type SshOptions = {
  keyPath?: string | undefined;
  /** The operator's list of host keys: then only these are accepted, and the file is never written to. */
  knownHostsPath?: string | undefined;
  /** Our own list, for when there is no operator's: the key of the first contact is kept here. */
  ownKnownHostsPath: string;
  /** Seconds for the connection, the banner and the key exchange together. */
  connectSeconds: number;
};

/** One word for the shell that Git runs GIT_SSH_COMMAND with. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** ssh expands `%` and `${}` in file names and splits the list of host key files at blanks. */
function fileName(path: string): string {
  if (/["\\\r\n]|\$\{/.test(path))
    throw new Error('An SSH key or known-hosts path has characters that ssh would act on');
  return `"${resolve(path).replaceAll('%', '%%')}"`;
}

/**
 * The value of GIT_SSH_COMMAND. No configuration of the account or the machine takes part (`-F /dev/null`), so that the same
 * settings mean the same everywhere, and nothing ever asks a question (`BatchMode`).
 * @throws Error for a path that ssh could not be given safely
 */
export function sshCommand({ keyPath, knownHostsPath, ownKnownHostsPath, connectSeconds }: SshOptions): string {
  const options = [
    'BatchMode=yes',
    `UserKnownHostsFile=${fileName(knownHostsPath ?? ownKnownHostsPath)}`,
    'GlobalKnownHostsFile=/dev/null',
    `StrictHostKeyChecking=${knownHostsPath === undefined ? 'accept-new' : 'yes'}`,
    'UpdateHostKeys=no',
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    `ConnectTimeout=${Math.max(1, Math.ceil(connectSeconds))}`,
    'ServerAliveInterval=10',
    'ServerAliveCountMax=3',
  ];
  // Not `-i`: that takes a `%` for itself when it looks whether the file is there, and for an escape when it reads it.
  if (keyPath !== undefined)
    options.push(`IdentityFile=${fileName(keyPath)}`, 'IdentitiesOnly=yes', 'IdentityAgent=none');
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', option])].map(quote).join(' ');
}
