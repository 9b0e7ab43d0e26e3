/** A repository as people name it. Null as the branch: none is named. */
export type PastedAddress = { url: string; branch: string | null };

/** Invisible characters that come along with a copy, and the ends of lines within an address that was wrapped. */
const invisible = /[\u200B-\u200D\u2060\uFEFF]|\s*[\r\n]+\s*/g;
const quotes = /^["'<`(]+|["'>`)]+$/g;
/** Pages of a repository on GitHub, GitLab, Gitea and Bitbucket. What follows the branch is a path. */
const page = /^(https?:\/\/[^/]+\/.+?)\/(?:-\/)?(?:tree|blob|commits|raw|src\/branch|src)\/([^/]+)(?:\/.*)?$/;
/** Sections of a page on such a site. */
const section = /^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/(?:issues|pulls?|wiki|actions|releases|tags|branches)(?:\/.*)?$/;

/**
 * The address of a repository in a text as it was copied: with blanks around it, in quotes, as a whole command (`git clone -b main ...`), or the
 * address of a page that shows a branch or a file. What cannot be understood is returned as it is, for the rules of addresses to refuse.
 */
export function pastedAddress(text: string): PastedAddress {
  const words = text.replaceAll(invisible, '').trim().split(/\s+/);
  if (words[0] === 'git' && words.includes('clone')) return ofCommand(words.slice(words.indexOf('clone') + 1));
  if (words.length > 1) return { url: text.trim(), branch: null };
  return ofAddress(words[0] ?? '');
}

function ofCommand(words: readonly string[]): PastedAddress {
  let branch: string | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [name = '', value] = word.split('=', 2);
    if (!word.startsWith('-')) {
      const found = ofAddress(word);
      return { ...found, branch: branch ?? found.branch };
    }
    const takesNext = value === undefined && /^(?:-[bo]|--(?:branch|origin|depth|config|reference|filter))$/.test(name);
    if (takesNext) index += 1;
    if (name === '-b' || name === '--branch') branch = value ?? words[index] ?? null;
  }
  return { url: '', branch };
}

function ofAddress(given: string): PastedAddress {
  const bare = given.replaceAll(quotes, '');
  // `ssh://git@host:group/name` is a mixture of the two forms of ssh; a port has digits only.
  const mixed = /^ssh:\/\/([^@/:]+@[^/:]+):(?!\d+\/)(.+)$/.exec(bare);
  if (mixed) return { url: `${mixed[1]}:${mixed[2]}`, branch: null };
  const isSite = /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)\/[^/]+\/[^/]+/i.test(bare);
  const url = isSite ? `https://${bare}` : bare;
  if (!/^https?:\/\//.test(url)) return { url, branch: null };
  const [, address = url, branch = null] = page.exec(url) ?? section.exec(url) ?? [];
  if (address === url)
    return { url: url.replace(/(?:\?(?:tab|ref_type|path)=[^#]*)?(?:#readme[^#]*)?$/i, ''), branch: null };
  return { url: address, branch: branch === null ? null : decodeURIComponentSafely(branch.replace(/[?#].*$/, '')) };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
