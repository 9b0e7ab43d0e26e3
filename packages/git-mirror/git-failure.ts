import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { GitProblem } from './problems.ts';

/** Why Git failed, from the output of git and ssh (always in English, set by the environment). The first match wins. */
const reasons: readonly [RegExp, GitProblem][] = [
  [/REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed|No .* host key is known/i, 'host_key_changed'],
  [/UNPROTECTED PRIVATE KEY FILE|bad permissions/i, 'key_file_exposed'],
  [/no such identity|Load key .*: (?:No such file|Permission denied)/i, 'key_file_unreadable'],
  [/Load key .*: (?:invalid format|error in libcrypto)|incorrect passphrase/i, 'key_file_invalid'],
  [/Permission denied \(|Authentication failed|could not read (?:Username|Password)/i, 'credentials_refused'],
  [/Could not resolve host(?:name)?|Name or service not known/i, 'git_host_unknown'],
  [/Connection refused/i, 'git_connection_refused'],
  [/timed out|Operation too slow/i, 'git_timeout'],
  [/couldn't find remote ref/i, 'branch_missing'],
  [/detected dubious ownership/i, 'repository_owner'],
  [/does not appear to be a git repository|repository '.*' not found|Repository not found|not found in upstream/i, 'repository_missing'],
  [/Connection (?:reset|closed)|unexpected disconnect|early EOF|hung up unexpectedly|kex_exchange_identification/i, 'git_connection_lost'],
  [/No space left on device/i, 'git_disk_full'],
]; // biome-ignore format: a table

type Found = { code: GitProblem; params: Readonly<Record<string, string>> };

/** The object that Git's verification refuses, and why. */
function flawIn(output: string): Found | undefined {
  const [, object = '', flaw = ''] = /\bobject ([0-9a-f]{40,64}): (\w+: [^\n]*)/.exec(output) ?? [];
  return object && /fsck/i.test(output) ? { code: 'object_flawed', params: { object, flaw: flaw.trim() } } : undefined;
}

/** As ssh shows it. @param key in Base64 */
export const fingerprintOf = (key: string): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')}`;

/** The fingerprints of both host keys, where ours is of the first contact. @param knownHosts the list with those */
function hostKeysIn(output: string, knownHosts: string | undefined): Found | undefined {
  const [, sent] = /key sent by the remote host is\s+(SHA256:[\w+/=]+)/.exec(output) ?? [];
  const [, path, line] = /Offending \S+ key in (.+):(\d+)/.exec(output) ?? [];
  const [, host = ''] = /Host key for (\S+) has changed/.exec(output) ?? [];
  if (!sent || path === undefined || path !== knownHosts) return undefined;
  try {
    const key = readFileSync(path, 'utf8').split('\n')[Number(line) - 1]?.split(' ')[2] ?? '';
    return { code: 'host_key_replaced', params: { sent: sent.replace(/\.$/, ''), known: fingerprintOf(key), host } };
  } catch {
    return undefined;
  }
}

/** A failed run of Git. `params` are values of the code; `output` is Git's own output, for a log only. */
export class GitError extends Error {
  readonly code: GitProblem;
  readonly params: Readonly<Record<string, string>>;
  readonly output: string;

  constructor(code: GitProblem, output = '', params: Readonly<Record<string, string>> = {}) {
    super(output === '' ? code : `${code}: ${output}`);
    this.name = 'GitError';
    this.code = code;
    this.params = params;
    this.output = output;
  }

  /** @param knownHosts the list of host keys that were learnt at the first contact */
  static fromOutput(output: string, knownHosts?: string): GitError {
    const known = flawIn(output) ?? hostKeysIn(output, knownHosts);
    if (known) return new GitError(known.code, output.trim().slice(-2000), known.params);
    const code = reasons.find(([form]) => form.test(output))?.[1] ?? 'git_failed';
    return new GitError(code, output.trim().slice(-2000));
  }

  /** The failure is damage in the mirror, not in the server; rebuilding the mirror can help. */
  get isDamage(): boolean {
    return (
      this.code === 'git_failed' &&
      /not a git repository|bad object|corrupt|unable to read|missing (?:blob|tree|commit)|bad tree|invalid sha1 pointer|broken|packfile|loose object|valid object|bad config|inflate/i.test(
        this.output,
      )
    );
  }

  /** Another process holds one of Git's locks, or died with it. */
  get isLock(): boolean {
    return /cannot lock ref|\.lock': File exists|but expected/i.test(this.output);
  }
}
