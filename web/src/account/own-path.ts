/**
 * Where to go after the login: the path that was asked for, or the start page where it would lead to another site (`//host`, `/\host`, another
 * scheme): the address of the login can come from anybody.
 */
export function ownPath(next: string | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, location.origin)) return '/';
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  // Read anew: what the browser makes of the path counts, not what was written.
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
