import { UnavailableError } from '../../errors.ts';
import { problemsOf } from '../../values/coded-problem.ts';

/** Why a lesson repository could not be updated or cannot be used, as the continuation of a sentence. */
export const repositoryProblems = {
  host_key_changed: 'the host key of the Git server does not match the known host key',
  key_file_exposed:
    'the SSH key file can be read by other users of this machine, so ssh refuses it: remove their access (chmod 600)',
  key_file_unreadable: 'the SSH key file is missing or cannot be read',
  key_file_invalid: 'the SSH key file is not a key without a passphrase',
  credentials_refused: 'the Git server refused the credentials',
  git_host_unknown: "the Git server's name cannot be resolved",
  git_connection_refused: 'the Git server refused the connection',
  git_timeout: 'the Git server did not answer in time',
  branch_missing: 'the branch does not exist',
  repository_owner: 'the repository belongs to another user, so this version of Git refuses to read it',
  repository_missing: 'there is no such repository',
  git_connection_lost: 'the connection to the Git server was lost',
  git_disk_full: 'the disk is full',
  git_failed: 'Git failed',
  object_flawed:
    'Git refuses the object {object} of the repository ({flaw}): rewrite its history without it, for example with git filter-repo, or copy the files into a new repository',
  host_key_replaced:
    'the Git server has the host key {sent} now, and had {known} before: if its operator confirms the new key, accept it on the page of lesson repositories, or remove the old one with ssh-keygen -R {host} -f known_hosts in the folder lessons of the data folder',
  git_absent: 'the git program cannot be started',
  branches_lost: 'the repository has lost all its branches',
  copy_unreadable: 'the new copy of the lessons cannot be read',
  folder_unreadable: 'the folder of lessons cannot be read',
  history_not_written: 'the history could not be written',
  service_stopping: 'the service is stopping',
  folder_too_large: 'one of its folders is too large',
  read_timeout: 'it takes too long to read',
  update_failed: 'it failed for a reason that only the log of the service has',
  stored_key_unreadable:
    'its key cannot be decrypted, because the SECRET_KEY of the service has changed: enter the key again',
  address_empty: 'it is empty',
  address_too_long: 'it is too long',
  address_controls: 'it has control characters',
  address_option: 'it starts like an option',
  address_space: 'it has white space',
  address_helper: 'transport helpers are not allowed',
  address_scheme: 'it takes ssh, https, http or file',
  address_form: 'it is neither a URL, user@host:path nor an absolute path',
  address_not_url: 'it is not a URL',
  address_password: 'an SSH address takes no password; use a key',
  address_user: 'its user is not a plain name',
  address_host: 'its host is not a plain host name or address',
  address_port: 'its port is not a port',
  address_path_missing: 'it names no repository',
  address_path_option: 'its path starts like an option',
  address_path_shell: 'its path has characters with a meaning in a shell',
  address_query: 'it has a query or a fragment',
  address_credentials_controls: 'its credentials have control characters',
  address_credentials_encoding: 'its credentials are not well encoded',
  address_file: 'a file address takes an absolute path',
  address_credentials: 'it has credentials',
  address_not_remote: 'it takes https, http or ssh',
  address_not_public: 'it takes https or http',
  branch_invalid: "The lessons repository's branch is not a branch's name",
  branch_alone: 'a branch needs the address of a repository',
  ssh_key_required: 'an SSH address needs a key',
  token_over_http: 'a token is sent over https only',
  ssh_key_invalid: 'an SSH address takes a private key in PEM format',
  token_invalid: 'a token is one line without blanks',
} as const;

export type RepositoryProblem = keyof typeof repositoryProblems;

export const repositoryProblem = problemsOf(repositoryProblems);

/** The code and the values of a text that is stored. Undefined for one that is unknown: another release has written it. */
export function repositoryProblemOf(
  text: string,
): { code: RepositoryProblem; params: Record<string, string> } | undefined {
  for (const code of Object.keys(repositoryProblems) as RepositoryProblem[]) {
    const form = repositoryProblems[code].replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.*)');
    const found = new RegExp(`^${form}$`, 's').exec(text);
    if (found) return { code, params: { ...found.groups } };
  }
  return undefined;
}

/** The lessons cannot be read, for a reason that the answer has as `Error-Reason`. @param detail in one sentence */
export const unreadableLessons = (code: RepositoryProblem, detail: string, cause?: unknown): UnavailableError =>
  new UnavailableError('lessons_unavailable', detail, { cause, reason: code });

/** An address, a branch or a key of a repository cannot be used. No text has the address, which can contain a password. */
export class UnusableRepositoryError extends Error {
  readonly code: RepositoryProblem;
  /** The text of the code. */
  readonly reason: string;

  /** @param prefix precedes the reason in the message */
  constructor(code: RepositoryProblem, prefix = '') {
    super(`${prefix}${repositoryProblems[code]}`);
    this.name = 'UnusableRepositoryError';
    this.code = code;
    this.reason = repositoryProblems[code];
  }
}
