import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { inTime } from '../api/in-time.ts';
import { Problem } from '../api/problem.ts';
import { loadStrings, type StringsPart } from '../strings/load-strings.ts';
import { isReloading } from './reload.ts';

/**
 * A page that is loaded on its first visit. Where that fails, it throws a Problem as for a service that cannot be reached, and is requested
 * again on the next visit.
 * @param parts of the texts that the page needs, besides those of the first pages
 */
export const lazyPage = <Name extends string>(
  importPage: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  parts: readonly StringsPart[] = ['learning'],
): RouteComponent =>
  lazyRouteComponent(async () => {
    try {
      const [module] = await inTime(Promise.all([importPage(), ...parts.map((part) => loadStrings(part))]));
      const component: ComponentType = module[name];
      return { default: component };
    } catch {
      // It stays pending: this document is about to be replaced.
      if (await isReloading()) return await new Promise<never>(() => {});
      throw new Problem(0);
    }
  });
