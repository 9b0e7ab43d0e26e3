import type { ComponentProps, MouseEvent } from 'react';
import { hrefOf, type Path, type Target } from './addresses.ts';
import { type Location, navigate } from './location.ts';
import { useShown } from './location-context.ts';

export type LinkProps<To extends Path> = Target<To> &
  Omit<ComponentProps<'a'>, 'href' | 'target'> & {
    /** Whether only the page itself is current, and not those below it. */
    isExact?: boolean | undefined;
  };

/** A link to another page. It loads the page when the user is about to follow it, and is marked as current where it leads to this page. */
export function Link<To extends Path>({
  to,
  params,
  search,
  hash,
  isExact = false,
  onClick,
  onPointerEnter,
  onFocus,
  ...rest
}: LinkProps<To>) {
  const { location: current, pages } = useShown();
  const href = hrefOf({ to, params, search, hash } as unknown as Target<To>);
  const prepare = (): void => void pages[to].load().catch(() => {});
  return (
    <a
      {...rest}
      href={href}
      aria-current={isCurrent(current, href, isExact) ? 'page' : undefined}
      onClick={(event) => {
        onClick?.(event);
        if (!isPlainClick(event)) return;
        event.preventDefault();
        pages[to].forgetFailure();
        navigate(href);
      }}
      onPointerEnter={(event) => {
        onPointerEnter?.(event);
        prepare();
      }}
      onFocus={(event) => {
        onFocus?.(event);
        prepare();
      }}
    />
  );
}

/** Any other click opens a tab or a window, or saves the page. */
const isPlainClick = (event: MouseEvent): boolean =>
  !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

function isCurrent({ pathname, href: shown }: Location, href: string, isExact: boolean): boolean {
  const { pathname: path, searchParams } = new URL(href, location.origin);
  if (pathname !== path && (isExact || !pathname.startsWith(`${path}/`))) return false;
  const given = new URL(shown, location.origin).searchParams;
  return [...searchParams].every(([name, value]) => given.get(name) === value);
}
