import { useState } from 'react';
import { storedTabs, storeTabs, type Tabs } from './shell-id.ts';

/** The tabs of a terminal: each is a shell of the container. The browser's tab keeps them over a reload. */
export function useTabs(containerId: number) {
  const [tabs, setTabs] = useState(() => storedTabs(containerId));
  const change = (next: (before: Tabs) => Tabs): void =>
    setTabs((before) => {
      const after = next(before);
      storeTabs(containerId, after);
      return after;
    });
  return {
    ...tabs,
    open: (isPlain = false): void =>
      change(({ all }) => {
        let number = 1;
        while (all.some((tab) => tab.number === number)) number += 1;
        return { all: [...all, { number, ...(isPlain ? { isPlain } : {}) }], active: number };
      }),
    select: (active: number): void => change(({ all }) => ({ all, active })),
    /** Selects the next tab, or the previous one. After the last one comes the first. */
    step: (by: 1 | -1): void =>
      change(({ all, active }) => {
        const index = all.findIndex(({ number }) => number === active);
        return { all, active: all[(index + by + all.length) % all.length]?.number ?? active };
      }),
    /** Without a name, a tab is called by its number. */
    rename: (number: number, name: string): void =>
      change(({ all, active }) => ({
        all: all.map((tab) => (tab.number === number ? { number, ...(name === '' ? {} : { name }) } : tab)),
        active,
      })),
    /** The last tab stays. */
    close: (number: number): void =>
      change(({ all, active }) => {
        const left = all.filter((tab) => tab.number !== number);
        const index = all.findIndex((tab) => tab.number === number);
        const next = left[Math.min(index, left.length - 1)];
        if (!next) return { all, active };
        return { all: left, active: active === number ? next.number : active };
      }),
  };
}
