import { isAbsolute } from 'node:path';

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

function refuse(why: string): never {
  throw new Error(`The lessons repository's address (LESSONS_REPO_URL) is not usable: ${why}`);
}

function checkSsh(user: string | undefined, host: string, port: string | undefined, path: string): void {
  if (user?.includes(':')) refuse('an SSH address takes no password; use a key');
  if (user !== undefined && !userForm.test(user)) refuse('its user is not a plain name');
  if (!hostForm.test(host)) refuse('its host is not a plain host name or address');
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535))
    refuse('its port is not a port');
  if (!/[^/]/.test(path)) refuse('it names no repository');
  if (path.startsWith('-')) refuse('its path starts like an option');
  if (shellForm.test(path)) refuse('its path has characters with a meaning in a shell');
}

function parseSsh(address: string): RepositoryAddress {
  const [, user, host = '', port, path = ''] =
    /^ssh:\/\/(?:([^@/]*)@)?(\[[^\]]*\]|[^@:/]*)(?::([^/]*))?(\/.*)?$/.exec(address) ?? [];
  checkSsh(user, host, port, path);
  return { url: address, isSsh: true };
}

function parseHttp(address: string): RepositoryAddress {
  if (!URL.canParse(address)) refuse('it is not a URL');
  const url = new URL(address);
  if (!hostForm.test(url.hostname)) refuse('its host is not a plain host name or address');
  if (url.hash !== '' || url.search !== '') refuse('it has a query or a fragment');
  if (url.pathname === '/') refuse('it names no repository');
  const credentials = { scope: url.origin, username: decode(url.username), password: decode(url.password) };
  if (/[\r\n\0]/.test(credentials.username + credentials.password)) refuse('its credentials have control characters');
  const hasCredentials = url.username !== '' || url.password !== '';
  url.username = '';
  url.password = '';
  return { url: url.href, isSsh: false, ...(hasCredentials ? { credentials } : {}) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('its credentials are not well encoded');
  }
}

function parseFile(address: string): RepositoryAddress {
  if (!/^file:\/\/(?:localhost)?\/[^/]/.test(address)) refuse('a file address takes an absolute path');
  return { url: address, isSsh: false };
}

/**
 * Parses the address of a Git repository: `ssh://`, `user@host:path`, `https://`, `http://`, `file://` or an absolute path. Git
 * passes parts of an address to other programs (ssh, transport helpers, the remote shell). Everything that one of them could
 * interpret as an option or a command is refused before any of them runs.
 * @throws Error with the reason but without the address, which can contain a password
 */
export function parseRepositoryAddress(address: string): RepositoryAddress {
  if (address === '') refuse('it is empty');
  if (address.length > 2048) refuse('it is too long');
  if (/[\p{Cc}\u2028\u2029]/u.test(address)) refuse('it has control characters');
  if (address.startsWith('-')) refuse('it starts like an option');
  if (isAbsolute(address)) return { url: address, isSsh: false };
  if (/\s/.test(address)) refuse('it has white space');
  if (/^[A-Za-z0-9+.-]*::/.test(address)) refuse('transport helpers are not allowed');
  const scheme = schemeForm.exec(address)?.[1];
  if (scheme === 'ssh') return parseSsh(address);
  if (scheme === 'http' || scheme === 'https') return parseHttp(address);
  if (scheme === 'file') return parseFile(address);
  if (scheme !== undefined) refuse('it takes ssh, https, http or file');
  const [, user, host, path] = scpForm.exec(address) ?? [];
  if (user === undefined || host === undefined || path === undefined)
    refuse('it is neither a URL, user@host:path nor an absolute path');
  checkSsh(user, host, undefined, path);
  return { url: address, isSsh: true };
}

/**
 * Checks the name of a branch by the rules of git-check-ref-format(1).
 * @throws Error with the reason
 */
export function checkBranch(branch: string): string {
  const isPlain =
    branch.length <= 255 && !/[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\/\.|\.lock(?:\/|$)/u.test(branch);
  if (!isPlain || branch === '' || branch === '@')
    throw new Error("The lessons repository's branch is not a branch's name");
  return branch;
}
