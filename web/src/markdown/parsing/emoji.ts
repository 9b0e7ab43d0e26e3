import type { Element, Node } from './tree-plugins.ts';

/** A name between colons. Not a part of a time or an address: no letter or digit is beside it. */
const named = /(?<![\p{L}\p{N}:]):([a-z0-9_+-]{1,40}):(?![\p{L}\p{N}:])/gu;

export const mayHaveEmoji = (markdown: string): boolean => markdown.search(named) !== -1;

/** The characters by their names. Most lessons have none, so they are loaded for those that do. */
export async function loadEmoji(): Promise<Record<string, string>> {
  const { nameToEmoji } = await import('gemoji');
  return nameToEmoji;
}

/** A text with the characters in place of their names. Other names stay as they are. */
export const withEmoji = (text: string, emoji: Record<string, string>): string =>
  text.replace(named, (written, name: string) => (Object.hasOwn(emoji, name) ? (emoji[name] ?? written) : written));

/** Replaces the names of emoji everywhere except in code. */
export function replaceEmoji(nodes: readonly (Node | { type: 'doctype' })[], emoji: Record<string, string>): void {
  for (const node of nodes) {
    if (node.type === 'text') node.value = withEmoji(node.value, emoji);
    else if (node.type === 'element' && !isCode(node)) replaceEmoji(node.children, emoji);
  }
}

const isCode = ({ tagName }: Element): boolean => ['code', 'pre', 'kbd', 'samp', 'var'].includes(tagName);
