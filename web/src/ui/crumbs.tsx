import { Children, type ReactNode } from 'react';
import type { Path } from '../routing/addresses.ts';
import { Link, type LinkProps } from '../routing/link.tsx';
import { useStrings } from '../strings/use-strings.tsx';

/** The way to a page: links to the pages above it, by their names. The title of the page follows below. */
export function Crumbs({ children }: { children: ReactNode }) {
  const t = useStrings();
  return (
    <nav aria-label={t.common.path} className="text-sm text-ink-soft">
      <ol className="flex flex-wrap items-center gap-x-2">
        {Children.map(children, (crumb, index) => (
          <li className="flex min-w-0 items-center gap-2">
            {index > 0 && <span aria-hidden="true">›</span>}
            {crumb}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function Crumb<To extends Path>(link: LinkProps<To>) {
  const all = { ...link, className: 'inline-flex min-h-6 items-center hover:text-ink hover:underline wrap-anywhere' };
  // The compiler cannot tell that these are the properties of a link.
  return <Link {...(all as unknown as LinkProps<To>)} />;
}
