import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { buttonClasses, type Look, type Size } from './button.tsx';
import { classes } from './classes.ts';

/** A link to another page that looks like a button. */
export const ButtonLink = createLink(Anchor);

function Anchor({ look = 'primary', size, className, ...rest }: ComponentProps<'a'> & { look?: Look; size?: Size }) {
  return <a {...rest} className={classes(buttonClasses(look, size), className)} />;
}
