/** Why Git failed, from the output of git and ssh (always in English, set by the environment). The first match wins. */
const reasons: readonly [RegExp, string][] = [
  [/REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed|No .* host key is known/i, 'the host key of the Git server does not match the known host key'],
  [/UNPROTECTED PRIVATE KEY FILE|bad permissions/i, 'the SSH key file can be read by other users of this machine, so ssh refuses it: remove their access (chmod 600)'],
  [/no such identity|Load key .*: (?:No such file|Permission denied)/i, 'the SSH key file is missing or cannot be read'],
  [/Load key .*: (?:invalid format|error in libcrypto)|incorrect passphrase/i, 'the SSH key file is not a key without a passphrase'],
  [/Permission denied \(|Authentication failed|could not read (?:Username|Password)/i, 'the Git server refused the credentials'],
  [/Could not resolve host(?:name)?|Name or service not known/i, "the Git server's name cannot be resolved"],
  [/Connection refused/i, 'the Git server refused the connection'],
  [/timed out|Operation too slow/i, 'the Git server did not answer in time'],
  [/couldn't find remote ref/i, 'the branch does not exist'],
  [/detected dubious ownership/i, "the repository belongs to another user, so this version of Git refuses to read it"],
  [/does not appear to be a git repository|repository '.*' not found|Repository not found|not found in upstream/i, 'there is no such repository'],
  [/Connection (?:reset|closed)|unexpected disconnect|early EOF|hung up unexpectedly|kex_exchange_identification/i, 'the connection to the Git server was lost'],
  [/No space left on device/i, 'the disk is full'],
]; // biome-ignore format: a table

const unknownReason = 'Git failed';

/** A failed run of Git. `reason` is one of our fixed sentences; `output` is Git's own output, for the log only. */
export class GitFailure extends Error {
  readonly reason: string;
  readonly output: string;

  constructor(reason: string, output = '') {
    super(output === '' ? reason : `${reason}: ${output}`);
    this.name = 'GitFailure';
    this.reason = reason;
    this.output = output;
  }

  static fromOutput(output: string): GitFailure {
    const reason = reasons.find(([form]) => form.test(output))?.[1] ?? unknownReason;
    return new GitFailure(reason, output.trim().slice(-2000));
  }

  /** The failure is damage in the mirror, not in the server; rebuilding the mirror can help. */
  get isDamage(): boolean {
    return (
      this.reason === unknownReason &&
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
