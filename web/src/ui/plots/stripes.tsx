import { useId } from 'react';

/**
 * Stripes in a colour of the theme, for the second series of a plot: the two are told apart without their colours.
 * @returns the fill, and the definition that the plot has to contain
 */
export function useStripes(colour: string) {
  const id = `stripes-${useId().replaceAll(/\W/g, '')}`;
  return {
    fill: `url(#${id})`,
    definition: (
      <defs>
        <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width={6} height={6} fill="var(--surface)" />
          <rect width={3.5} height={6} fill={colour} />
        </pattern>
      </defs>
    ),
  };
}
