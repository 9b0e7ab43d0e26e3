import { classes } from './classes.ts';
import { useSite } from './site.ts';

/** The logo of the installation, or that of the pages. The name stands beside it. */
export function Logo({ isLarge = false }: { isLarge?: boolean }) {
  const { logo, hasLogo } = useSite();
  const height = isLarge ? 48 : 26;
  return (
    <img
      src={logo}
      alt=""
      height={height}
      {...(hasLogo ? {} : { width: height })}
      className={classes('w-auto object-contain', isLarge ? 'h-12 max-w-full' : 'h-6.5 max-w-20 shrink-0 sm:max-w-32')}
    />
  );
}
