import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../remember.ts';

/** document.js and styles.css read it as well. */
const key = 'density';

export const densities = ['comfortable', 'compact'] as const;
/** How close the rows of all tables are. */
export type Density = (typeof densities)[number];

const listeners = new Set<() => void>();
const density = (): Density => (remembered(key) === 'compact' ? 'compact' : 'comfortable');

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function change(next: Density): void {
  remember(key, next === 'compact' ? next : null);
  document.documentElement.dataset['density'] = next;
  for (const listener of listeners) listener();
}

export const useDensity = (): [Density, (next: Density) => void] => [useSyncExternalStore(subscribe, density), change];
