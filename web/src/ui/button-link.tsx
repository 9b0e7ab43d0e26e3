import type { Path } from '../routing/addresses.ts';
import { Link, type LinkProps } from '../routing/link.tsx';
import { buttonClasses, type Look, type Size } from './button.tsx';
import { classes } from './classes.ts';

/** A link to another page that looks like a button. */
export function ButtonLink<To extends Path>({
  look = 'primary',
  size,
  className,
  ...rest
}: LinkProps<To> & { look?: Look; size?: Size }) {
  const link = { ...rest, className: classes(buttonClasses(look, size), className) };
  // The compiler cannot tell that the rest of the properties are those of a link.
  return <Link {...(link as unknown as LinkProps<To>)} />;
}
