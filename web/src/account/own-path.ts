/**
 * The path after the login: the requested one, or the start page where the requested one would lead to another site (`//host`, `/\host`,
 * another scheme). The URL of the login page is untrusted.
 */
export function ownPath(next: string | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, location.origin)) return '/';
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  // Checked after parsing: the browser's interpretation of the path counts, not the original text.
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
