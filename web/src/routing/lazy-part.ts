import type { ComponentType } from 'react';
import { loadStrings } from '../strings/load-strings.ts';

/**
 * Loads a part of a page that the page can do without, with the texts of students' pages. For React's `lazy`. Where it cannot be loaded,
 * the part shows nothing, so that the page stays usable.
 */
export async function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Promise<{ default: ComponentType<Props> }> {
  try {
    const [component] = await Promise.all([load(), loadStrings('learning')]);
    return { default: component };
  } catch {
    return { default: () => null };
  }
}
