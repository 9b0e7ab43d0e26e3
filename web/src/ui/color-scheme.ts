import { useCallback, useSyncExternalStore } from 'react';
import { remember, remembered } from './remember.ts';

/** document.js reads it as well. */
const key = 'theme';

export const colorSchemes = ['system', 'light', 'dark'] as const;
export type ColorScheme = (typeof colorSchemes)[number];

const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const choice = (): ColorScheme => {
  const stored = remembered(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

function apply(): void {
  const chosen = choice();
  document.documentElement.dataset['theme'] = chosen === 'system' ? (system.matches ? 'dark' : 'light') : chosen;
  for (const listener of listeners) listener();
}

/** Makes the pages follow the system's color scheme where none is chosen. document.js has set it for the first paint. */
export const followSystem = (): void => system.addEventListener('change', apply);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useColorScheme = (): [ColorScheme, (choice: ColorScheme) => void] => [
  useSyncExternalStore(subscribe, choice),
  useCallback((next: ColorScheme) => {
    remember(key, next === 'system' ? null : next);
    apply();
  }, []),
];
