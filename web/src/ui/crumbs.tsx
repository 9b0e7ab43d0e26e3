import { createLink } from '@tanstack/react-router';
import { Children, type ComponentProps, type ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';

/** The way to a page: links to the pages above it, by their names. The title of the page follows below. */
export function Crumbs({ children }: { children: ReactNode }) {
  const t = useStrings();
  return (
    <nav aria-label={t.common.path} className="text-sm text-ink-soft">
      <ol className="flex flex-wrap items-center gap-x-2">
        {Children.toArray(children).map((crumb, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: crumbs never change their order
          <li key={index} className="flex min-w-0 items-center gap-2">
            {index > 0 && <span aria-hidden="true">›</span>}
            {crumb}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export const Crumb = createLink(CrumbLink);

function CrumbLink(link: ComponentProps<'a'>) {
  return <a {...link} className="inline-flex min-h-6 items-center hover:text-ink hover:underline wrap-anywhere" />;
}
