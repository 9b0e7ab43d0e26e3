import { isAbsolute } from 'node:path';
import { type AddressProblem, UnusableAddressError } from './problems.ts';

export type RepositoryAddress = {
  /** The address for Git. It never contains a password. */
  readonly url: string;
  readonly isSsh: boolean;
  /** From an http(s) address; passed to Git outside its argument list. `scope` is the server they are valid for. */
  readonly credentials?: { readonly scope: string; readonly username: string; readonly password: string };
};

const hostForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/;
const userForm = /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/;
/** Characters that a remote shell could interpret. */
const shellForm = /["'`$\\;|&<>*?!#{}]/;
const schemeForm = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;
const scpForm = /^([^@:/]*)@((?:\[[^\]]*\])|[^@:/[\]]+):(.*)$/;

function refuse(code: AddressProblem): never {
  throw new UnusableAddressError(code);
}

function checkSsh(user: string | undefined, host: string, port: string | undefined, path: string): void {
  if (user?.includes(':')) refuse('address_password');
  if (user !== undefined && !userForm.test(user)) refuse('address_user');
  if (!hostForm.test(host)) refuse('address_host');
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535))
    refuse('address_port');
  if (!/[^/]/.test(path)) refuse('address_path_missing');
  if (path.startsWith('-')) refuse('address_path_option');
  if (shellForm.test(path)) refuse('address_path_shell');
}

function parseSsh(address: string): RepositoryAddress {
  const [, user, host = '', port, path = ''] =
    /^ssh:\/\/(?:([^@/]*)@)?(\[[^\]]*\]|[^@:/]*)(?::([^/]*))?(\/.*)?$/.exec(address) ?? [];
  checkSsh(user, host, port, path);
  return { url: address, isSsh: true };
}

/** The server of an SSH address. Undefined for another address. */
export function sshServerOf(address: string): { host: string; port: number } | undefined {
  if (!parseRepositoryAddress(address).isSsh) return undefined;
  const [, host = '', port = '22'] =
    /^ssh:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^@:/]*)(?::(\d+))?/.exec(address) ??
    /^[^@]*@(\[[^\]]*\]|[^@:/]+):/.exec(address) ??
    [];
  return { host: host.replace(/^\[|\]$/g, '').toLowerCase(), port: Number(port) };
}

function parseHttp(address: string): RepositoryAddress {
  if (!URL.canParse(address)) refuse('address_not_url');
  const url = new URL(address);
  if (!hostForm.test(url.hostname)) refuse('address_host');
  if (url.hash !== '' || url.search !== '') refuse('address_query');
  if (url.pathname === '/') refuse('address_path_missing');
  const credentials = { scope: url.origin, username: decode(url.username), password: decode(url.password) };
  if (/[\r\n\0]/.test(credentials.username + credentials.password)) refuse('address_credentials_controls');
  const hasCredentials = url.username !== '' || url.password !== '';
  url.username = '';
  url.password = '';
  return { url: url.href, isSsh: false, ...(hasCredentials ? { credentials } : {}) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('address_credentials_encoding');
  }
}

function parseFile(address: string): RepositoryAddress {
  if (!/^file:\/\/(?:localhost)?\/[^/]/.test(address)) refuse('address_file');
  return { url: address, isSsh: false };
}

/**
 * Parses the address of a Git repository: `ssh://`, `user@host:path`, `https://`, `http://`, `file://` or an absolute path. Git
 * passes parts of an address to other programs (ssh, transport helpers, the remote shell). Everything that one of them could
 * interpret as an option or a command is refused before any of them runs.
 * @throws UnusableAddressError
 */
export function parseRepositoryAddress(address: string): RepositoryAddress {
  if (address === '') refuse('address_empty');
  if (address.length > 2048) refuse('address_too_long');
  if (/[\p{Cc}\u2028\u2029]/u.test(address)) refuse('address_controls');
  if (address.startsWith('-')) refuse('address_option');
  if (isAbsolute(address)) return { url: address, isSsh: false };
  if (/\s/.test(address)) refuse('address_space');
  if (/^[A-Za-z0-9+.-]*::/.test(address)) refuse('address_helper');
  const scheme = schemeForm.exec(address)?.[1];
  if (scheme === 'ssh') return parseSsh(address);
  if (scheme === 'http' || scheme === 'https') return parseHttp(address);
  if (scheme === 'file') return parseFile(address);
  if (scheme !== undefined) refuse('address_scheme');
  const [, user, host, path] = scpForm.exec(address) ?? [];
  if (user === undefined || host === undefined || path === undefined) refuse('address_form');
  checkSsh(user, host, undefined, path);
  return { url: address, isSsh: true };
}

/**
 * Checks the name of a branch by the rules of git-check-ref-format(1).
 * @throws UnusableAddressError
 */
export function checkBranch(branch: string): string {
  const isPlain =
    branch.length <= 255 && !/[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\/\.|\.lock(?:\/|$)/u.test(branch);
  if (!isPlain || branch === '' || branch === '@') throw new UnusableAddressError('branch_invalid');
  return branch;
}
