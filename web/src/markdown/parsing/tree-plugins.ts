import type { ExtraProps } from 'hast-util-to-jsx-runtime';
import { alertKindOf } from './alert-kinds.ts';

export type Element = NonNullable<ExtraProps['node']>;
export type Node = Element['children'][number];
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

/** A frame of another site becomes a link to what it shows: pages open no frames. */
export function frameLinks(tree: Tree): void {
  for (const element of elementsOf(tree.children)) {
    const { src, title } = element.properties;
    if (element.tagName !== 'iframe' || typeof src !== 'string' || !/^https?:\/\//i.test(src)) continue;
    element.tagName = 'a';
    element.properties = { href: src };
    element.children = [{ type: 'text', value: typeof title === 'string' && title.trim() ? title : src }];
  }
}

const sameText = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();

/**
 * Adds an `id` to every heading, and returns the headings. The page has its own title, so a first heading that repeats it
 * is removed, and other first-level headings become second-level.
 */
export function headings(tree: Tree, title: string, prefix: string): Heading[] {
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
    const id = `${prefix}${slug}${count ? `-${count}` : ''}`;
    element.properties['id'] = id;
    found.push({ id, text, level: Number(element.tagName.slice(1)) });
  }
  return found;
}

/**
 * Marks quotes that begin with `[!NOTE]` or another type of admonition: the quote gets `dataAlert`, and the paragraph of its title, if it
 * has one of its own, `dataAlertTitle`.
 */
export function alerts(tree: Tree): void {
  for (const quote of elementsOf(tree.children)) {
    if (quote.tagName !== 'blockquote') continue;
    const paragraph = quote.children.find(isElement);
    const [text] = paragraph?.children ?? [];
    if (paragraph?.tagName !== 'p' || text?.type !== 'text') continue;
    const [, type = '', title = '', rest] = /^\s*\[!(\w+)\][+-]?[ \t]*([^\n]*)(?:\n([\s\S]*))?$/.exec(text.value) ?? [];
    const kind = alertKindOf(type);
    if (kind === undefined) continue;
    quote.properties['dataAlert'] = kind;
    const others = paragraph.children.slice(1);
    const ownTitle = rest === undefined ? [{ ...text, value: title }, ...others] : [{ ...text, value: title }];
    const body = rest === undefined ? [] : [{ ...text, value: rest }, ...others];
    const hasTitle = title !== '' || ownTitle.length > 1;
    const parts = [
      ...(hasTitle ? [{ ...paragraph, properties: { dataAlertTitle: true }, children: ownTitle }] : []),
      ...(body.length > 0 ? [{ ...paragraph, children: body }] : []),
    ];
    quote.children.splice(quote.children.indexOf(paragraph), 1, ...parts);
  }
}

/** Marks quotes that begin with `[!TAB]`, and puts those that follow one another into an element with `dataTabs`. */
export function tabs(tree: Tree): void {
  const quotes = [...elementsOf(tree.children)].filter(isTab);
  if (quotes.length === 0) return;
  for (const parent of [tree, ...elementsOf(tree.children)]) group(parent);
}

const tabTitle = /^\s*\[!TAB\][ \t]*([^\n]*)$/;
const titleOfTab = (quote: Element): string | undefined => {
  const paragraph = quote.tagName === 'blockquote' ? quote.children.find(isElement) : undefined;
  return paragraph?.tagName === 'p' ? tabTitle.exec(textOf(paragraph))?.[1] : undefined;
};
const isTab = (element: Element): boolean => titleOfTab(element) !== undefined;

function group(parent: { children: Tree['children'] }): void {
  const result: Tree['children'] = [];
  let open: Element | undefined;
  for (const node of parent.children) {
    const title = isElement(node) ? titleOfTab(node) : undefined;
    if (isElement(node) && title !== undefined) {
      if (!open) {
        open = { type: 'element', tagName: 'div', properties: { dataTabs: true }, children: [] };
        result.push(open);
      }
      node.tagName = 'div';
      node.properties['dataTab'] = title;
      node.children = node.children.slice(node.children.findIndex(isElement) + 1);
      open.children.push(node);
    } else {
      if (isElement(node) || (node.type === 'text' && node.value.trim() !== '')) open = undefined;
      if (!open) result.push(node);
    }
  }
  parent.children = result;
}

/** Old HTML marks places by `<a name>`, and authors write the case of an anchor as they like: all ids are in lower case. */
export function anchors(tree: Tree): void {
  for (const { tagName, properties } of elementsOf(tree.children)) {
    const id = properties['id'] ?? (tagName === 'a' ? properties['name'] : undefined);
    delete properties['name'];
    if (typeof id === 'string') properties['id'] = id.toLowerCase();
  }
}

/** The same algorithm as GitHub's heading ids, so that links that authors tried there work here. */
const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
