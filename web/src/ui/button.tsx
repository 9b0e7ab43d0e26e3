import type { ButtonHTMLAttributes, ReactNode, RefAttributes } from 'react';
import { classes } from './classes.ts';

export type Look = 'primary' | 'plain' | 'quiet' | 'danger';
export type Size = 'normal' | 'small';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  quiet: 'bg-transparent text-ink-soft border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-surface text-bad border-bad hover:bg-bad-soft',
};
const sizes: Record<Size, string> = { normal: 'min-h-10 px-4 text-sm', small: 'min-h-8 px-2.5 text-sm' };

/** For a button whose text has a name: names can be long. */
export const longText = 'max-w-full py-1 whitespace-normal! wrap-anywhere';

/** The classes of a button, for links that look like one. */
export const buttonClasses = (look: Look = 'plain', size: Size = 'normal'): string =>
  classes(
    'inline-flex items-center justify-center gap-2 rounded-md border font-medium transition-colors select-none whitespace-nowrap',
    'disabled:opacity-55 disabled:cursor-not-allowed',
    looks[look],
    sizes[size],
  );

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> &
  RefAttributes<HTMLButtonElement> & {
    look?: Look;
    size?: Size;
    /** In progress: the button is disabled, and is announced as busy to screen readers. */
    isBusy?: boolean;
  };

export function Button({ look = 'plain', size = 'normal', isBusy = false, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(buttonClasses(look, size), isBusy && 'animate-pulse', className)}
    />
  );
}

/** A button with only an icon. `label` is its accessible name. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: Omit<ButtonProps, 'look' | 'children'> & { label: string; children: ReactNode }) {
  return (
    <Button
      look="quiet"
      size="small"
      {...rest}
      aria-label={label}
      title={label}
      className={classes('aspect-square px-1!', className)}
    >
      {children}
    </Button>
  );
}
