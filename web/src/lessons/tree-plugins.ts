import type { ExtraProps } from 'react-markdown';
import { markdownSchema } from './markdown-schema.ts';

export type Element = NonNullable<ExtraProps['node']>;
type Node = Element['children'][number];
type Tree = { children: (Node | { type: 'doctype' })[] };
export type Heading = { id: string; text: string; level: number };

const isElement = (node: { type: string }): node is Element => node.type === 'element';

/** The text of an element, without its tags. */
export const textOf = (node: Node): string =>
  node.type === 'text' ? node.value : isElement(node) ? node.children.map(textOf).join('') : '';

/** All elements, including nested ones. */
export function* elementsOf(nodes: Tree['children']): Generator<Element> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    yield node;
    yield* elementsOf(node.children);
  }
}

const sameText = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();

/**
 * Adds an `id` to every heading and reports the headings to `onHeadings`. The page has its own title, so a first heading that repeats it
 * is removed, and other first-level headings become second-level.
 */
export const headings =
  ({ title, onHeadings }: { title: string; onHeadings: (headings: Heading[]) => void }) =>
  (tree: Tree): void => {
    const first = tree.children.find(isElement);
    if (first?.tagName === 'h1' && sameText(textOf(first), title)) {
      tree.children = tree.children.filter((node) => node !== first);
    }
    const found: Heading[] = [];
    const taken = new Map<string, number>();
    for (const element of elementsOf(tree.children)) {
      if (!/^h[1-6]$/.test(element.tagName)) continue;
      if (element.tagName === 'h1') element.tagName = 'h2';
      // The heading of the footnotes already has an id, and is only for screen readers.
      if (element.properties['className']) continue;
      const text = textOf(element);
      const slug = slugOf(text);
      const count = taken.get(slug) ?? 0;
      taken.set(slug, count + 1);
      const id = `${markdownSchema.clobberPrefix}${slug}${count ? `-${count}` : ''}`;
      element.properties['id'] = id;
      found.push({ id, text, level: Number(element.tagName.slice(1)) });
    }
    onHeadings(found);
  };

/** The same algorithm as GitHub's heading ids, so that links that authors tried there work here. */
const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
