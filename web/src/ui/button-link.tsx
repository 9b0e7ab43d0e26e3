import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { buttonClasses, type Look, type Size } from './button.tsx';
import { classes } from './classes.ts';

/** A link to another page that looks like a button. */
export const ButtonLink = createLink(
  ({ look = 'primary', size, className, children, ...rest }: ComponentProps<'a'> & { look?: Look; size?: Size }) => (
    <a {...rest} className={classes(buttonClasses(look, size), className)}>
      {children}
    </a>
  ),
);
