import { useEffect, useMemo, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { parse, prepareParser } from './parsing/markdown-parser.ts';
import type { Parsed } from './parsing/parse-markdown.ts';

/** A text of Markdown as the page shows it. The rest of a long text comes later. */
export type ParsedText = Parsed & { isWhole: boolean };

/** Texts that were converted last, so that the way back to them is immediate. */
const recent = new Map<string, ParsedText>();
const maxRecent = 30;

/**
 * Converts a text, in another thread. Undefined until its beginning is there.
 * @param prefix what the ids of the text begin with, where it is not the text of a lesson
 */
export function useParsedText(markdown: string | undefined, title: string, prefix?: string): ParsedText | undefined {
  const { footnotes, backToText } = useStrings().markdown;
  const key = useMemo(
    () => (markdown === undefined ? undefined : JSON.stringify([footnotes, title, prefix, markdown])),
    [markdown, title, footnotes, prefix],
  );
  const [state, setState] = useState<{ key: string; parsed: ParsedText }>();
  const known = key === undefined ? undefined : (recent.get(key) ?? (state?.key === key ? state.parsed : undefined));
  const isKnown = known?.isWhole === true;
  useEffect(prepareParser, []);
  useEffect(() => {
    if (markdown === undefined || key === undefined || isKnown) return;
    let blocks: ParsedText['blocks'] = [];
    return parse({ markdown, title, footnotes, backToText, prefix }, ({ from, blocks: own, headings, isWhole }) => {
      blocks = [...blocks.slice(0, from), ...own];
      const parsed = { blocks, headings, isWhole };
      if (isWhole) keep(key, parsed);
      setState({ key, parsed });
    });
  }, [markdown, key, title, footnotes, backToText, prefix, isKnown]);
  return known;
}

function keep(key: string, parsed: ParsedText): void {
  recent.set(key, parsed);
  for (const old of recent.keys()) if (recent.size > maxRecent) recent.delete(old);
}
