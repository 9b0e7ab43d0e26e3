import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

/** Something to do in the settings of a page, with what it means. */
export const ActionRow = ({ help, ...button }: ComponentProps<typeof Button> & { help: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-3 py-4">
    <p className="min-w-0 flex-1 basis-72 text-sm text-ink-soft">{help}</p>
    <Button {...button} />
  </div>
);
