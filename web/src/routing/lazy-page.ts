import type { ComponentType } from 'react';
import { Problem } from '../api/problem.ts';
import { loadStrings, type StringsPart } from '../strings/load-strings.ts';
import { inTime } from '../ui/in-time.ts';

/** A page that is loaded on its first visit. */
export type LazyPage = {
  /** Absent until it is loaded. */
  component?: ComponentType;
  /** @throws Problem as for a service that cannot be reached; the next call tries again */
  load: () => Promise<ComponentType>;
};

/**
 * @param parts of the texts that the page needs, besides those of the first pages
 */
export function lazyPage<Name extends string>(
  importPage: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  parts: readonly StringsPart[] = ['learning'],
): LazyPage {
  let loading: Promise<ComponentType> | undefined;
  const page: LazyPage = {
    load: () => {
      loading ??= inTime(Promise.all([importPage(), ...parts.map((part) => loadStrings(part))])).then(
        ([module]) => {
          page.component = module[name];
          return page.component;
        },
        () => {
          loading = undefined;
          throw new Problem(0);
        },
      );
      return loading;
    },
  };
  return page;
}
