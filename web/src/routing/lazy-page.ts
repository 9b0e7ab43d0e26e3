import type { ComponentType } from 'react';
import { inTime } from '../api/in-time.ts';
import { Problem } from '../api/problem.ts';
import { loadStrings, type StringsPart } from '../strings/load-strings.ts';
import { isReloading } from './reload.ts';

/** A page that is loaded on its first visit. */
export type LazyPage = {
  /** Absent until it is loaded. */
  component?: ComponentType;
  /** @throws Problem as for a service that cannot be reached; a failure stays until it is forgotten */
  load: () => Promise<ComponentType>;
  /** Has the next call of `load` try again. */
  forgetFailure: () => void;
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
  let hasFailed = false;
  const page: LazyPage = {
    load: () => {
      loading ??= inTime(Promise.all([importPage(), ...parts.map((part) => loadStrings(part))])).then(
        ([module]) => {
          page.component = module[name];
          return page.component;
        },
        async () => {
          // It stays pending: this document is about to be replaced.
          if (await isReloading()) return await new Promise<never>(() => {});
          hasFailed = true;
          throw new Problem(0);
        },
      );
      return loading;
    },
    forgetFailure: () => {
      if (hasFailed) loading = undefined;
      hasFailed = false;
    },
  };
  return page;
}
