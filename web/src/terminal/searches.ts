import type { ISearchOptions } from '@xterm/addon-search';

export type Search = { direction: 'next' | 'previous'; isCaseSensitive: boolean };
/** Where the shown match is among all, from 0; -1: there are more than are counted. */
export type Matches = { index: number; count: number };

/** Marked matches are also counted. */
const decorations = {
  matchBackground: '#5a4a10',
  matchOverviewRuler: '#b08d1a',
  activeMatchBackground: '#9a5a00',
  activeMatchColorOverviewRuler: '#ff9e2c',
};

export const searchOptions = ({ direction, isCaseSensitive }: Search, isTyping: boolean): ISearchOptions => ({
  ...{ caseSensitive: isCaseSensitive, decorations },
  // While the text grows, the shown match stays as long as it fits.
  incremental: isTyping && direction === 'next',
});
