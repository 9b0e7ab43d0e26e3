import { resolve } from 'node:path';

export type SshOptions = {
  keyPath?: string | undefined;
  /** The operator's list of host keys: only these are accepted, and the file is never written. */
  knownHostsPath?: string | undefined;
  /** Our own list, used without an operator's list: it stores the key of the first contact. */
  ownKnownHostsPath: string;
  /** Seconds for the connection, the banner and the key exchange together. */
  connectSeconds: number;
};

/** Quotes one word for the shell that runs GIT_SSH_COMMAND. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** ssh expands `%` and `${}` in file names and splits the list of host key files at blanks. */
function fileName(path: string): string {
  if (/["\\\r\n]|\$\{/.test(path))
    throw new Error('An SSH key or known-hosts path has characters with a meaning for ssh');
  return `"${resolve(path).replaceAll('%', '%%')}"`;
}

/**
 * The value of GIT_SSH_COMMAND. The configuration of the account and the machine is ignored (`-F /dev/null`), so that the same
 * settings have the same effect everywhere. Prompts are disabled (`BatchMode`).
 * @throws Error for a path that cannot be passed to ssh safely
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
  // Not `-i`: ssh treats `%` literally when it checks whether the file exists, but as an escape when it reads the file.
  if (keyPath !== undefined)
    options.push(`IdentityFile=${fileName(keyPath)}`, 'IdentitiesOnly=yes', 'IdentityAgent=none');
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', option])].map(quote).join(' ');
}
