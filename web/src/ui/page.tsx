import { type ReactNode, useEffect } from 'react';
import { useSite } from './site.ts';

/** A page: its title (which is the browser's title as well), its actions, and its content. */
export function Page({
  title,
  crumbs,
  lead,
  actions,
  children,
}: {
  title: string;
  /** See ui/crumbs.tsx. */
  crumbs?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useTitle(title);
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          {crumbs}
          <h1 className="text-2xl font-semibold tracking-tight break-words">{title}</h1>
          {lead && <div className="mt-1 max-w-prose text-ink-soft">{lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Sets the browser's title of a page. */
export function useTitle(title: string): void {
  const { product } = useSite();
  useEffect(() => {
    document.title = title === product ? title : `${title} · ${product}`;
  }, [title, product]);
}
