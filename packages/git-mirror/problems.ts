type ServerProblem = 'git_host_unknown' | 'git_connection_refused' | 'git_connection_lost' | 'git_timeout';
type KeyProblem =
  | 'host_key_changed'
  | 'host_key_replaced'
  | 'credentials_refused'
  | `key_file_${'exposed' | 'unreadable' | 'invalid'}`;
type ContentProblem =
  | 'repository_missing'
  | 'branch_missing'
  | 'branches_lost'
  | 'object_flawed'
  | 'history_not_written';
type LocalProblem =
  | 'git_absent'
  | 'git_disk_full'
  | 'repository_owner'
  | 'copy_unreadable'
  | 'folder_unreadable'
  | 'service_stopping';

/** Why Git failed. */
export type GitProblem = ServerProblem | KeyProblem | ContentProblem | LocalProblem | 'git_failed';

type FormProblem =
  | 'empty'
  | 'too_long'
  | 'controls'
  | 'option'
  | 'space'
  | 'helper'
  | 'scheme'
  | 'form'
  | 'not_url'
  | 'file';
type PartProblem = 'password' | 'user' | 'host' | 'port' | 'query' | `path_${'missing' | 'option' | 'shell'}`;
type CredentialsProblem = `credentials_${'controls' | 'encoding'}`;

/** Why an address, or the name of a branch, is refused. */
export type AddressProblem = `address_${FormProblem | PartProblem | CredentialsProblem}` | 'branch_invalid';

/** Its message does not have the address, which can contain a password. */
export class UnusableAddressError extends Error {
  readonly code: AddressProblem;

  constructor(code: AddressProblem) {
    super(code);
    this.name = 'UnusableAddressError';
    this.code = code;
  }
}

/** Why a mirror does not do what was asked. */
export type MirrorProblem =
  /** There is no file at the path, or it is above the limit. */
  | { kind: 'no file' | 'file too large' }
  | { kind: 'folder too large' }
  /** The copy is damaged, and there was no new one. */
  | { kind: 'damaged' }
  /** There is no copy yet: it is being made, or cannot be made before so many seconds. */
  | { kind: 'fetching' }
  | { kind: 'unreachable'; seconds: number; cause: unknown }
  /** The copy could not be brought up to date. The present one is still served. */
  | { kind: 'outdated'; cause: unknown };

/** Makes the error that is thrown for a problem: what it says is the caller's. */
export type ErrorOf = (problem: MirrorProblem) => Error;

/** What has happened to a mirror. */
export type MirrorEvent =
  /** It has another commit than before, in a new copy or in the same one. Null: the repository has none. */
  | { kind: 'copied' | 'updated'; commit: string | null }
  /** An update has succeeded, with or without another commit. */
  | { kind: 'checked'; commit: string | null }
  | { kind: 'failed'; error: unknown; retrySeconds: number }
  /** It is damaged, and will be copied again. */
  | { kind: 'damaged' };
