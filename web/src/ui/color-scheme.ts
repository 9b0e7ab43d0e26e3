import { useCallback, useSyncExternalStore } from 'react';
import { remember, remembered } from './remember.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const choice = (): ThemeChoice => {
  const stored = remembered('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

function apply(): void {
  const chosen = choice();
  document.documentElement.dataset['theme'] = chosen === 'system' ? (system.matches ? 'dark' : 'light') : chosen;
  for (const listener of listeners) listener();
}

/** Makes the pages follow the system's theme where none is chosen. document.js has set it for the first paint. */
export const followSystem = (): void => system.addEventListener('change', apply);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useThemeChoice = (): [ThemeChoice, (choice: ThemeChoice) => void] => [
  useSyncExternalStore(subscribe, choice),
  useCallback((next: ThemeChoice) => {
    remember('theme', next === 'system' ? null : next);
    apply();
  }, []),
];
