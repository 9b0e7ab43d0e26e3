import type { ReactNode } from 'react';

/** The look of the links of the overview. */
export const rowLink = 'font-medium text-accent underline underline-offset-2';

/** An entry of a list of the overview: its link, and facts below it. */
export const OverviewRow = ({ link, side, children }: { link: ReactNode; side?: ReactNode; children: ReactNode }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm first:pt-0 last:pb-0">
    <div className="min-w-0 flex-1 basis-56 break-words">
      {link}
      <p className="text-ink-soft">{children}</p>
    </div>
    {side}
  </li>
);
