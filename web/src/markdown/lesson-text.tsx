import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { memo, startTransition, useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { flushSync } from 'react-dom';
import { useStrings } from '../strings/use-strings.tsx';
import { type Components, componentsOf } from './lesson-elements.tsx';
import type { Source } from './parsing/references.ts';
import type { Heading, Node } from './parsing/tree-plugins.ts';
import type { ParsedText } from './use-parsed-text.ts';

/** Elements at the top level of a text that are rendered at once. */
const pieceSize = 40;

/**
 * The text of a lesson, in pieces, so that a long one does not block the page.
 * @param onShown receives the headings when all of the text is there
 */
export const LessonText = memo(function LessonText({
  text: { blocks, headings, isWhole },
  source,
  prefix,
  onShown = nothing,
}: {
  text: ParsedText;
  /** The lesson. Undefined for a text about an exam, a laboratory or a task, which has no files beside it and no headings of its own. */
  source: Source | undefined;
  prefix?: string;
  onShown?: (headings: Heading[]) => void;
}) {
  const t = useStrings();
  const components = useMemo(() => componentsOf(source, prefix, t.markdown), [source, prefix, t]);
  const pieces = useMemo(() => piecesOf(blocks), [blocks]);
  const shown = useGrowingCount(pieces.length);
  const isShown = isWhole && shown === pieces.length;
  useEffect(() => {
    if (isShown) onShown(headings);
  }, [isShown, headings, onShown]);
  return (
    <div className="lesson-text" aria-busy={!isShown} data-short={source ? undefined : true}>
      {pieces.slice(0, shown).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
        <Piece key={index} piece={piece} components={components} />
      ))}
    </div>
  );
});

const nothing = (): void => {};

const piecesOf = (blocks: readonly Node[]): Node[][] =>
  Array.from({ length: Math.max(1, Math.ceil(blocks.length / pieceSize)) }, (_, piece) =>
    blocks.slice(piece * pieceSize, (piece + 1) * pieceSize),
  );

const isSame = (one: readonly Node[], other: readonly Node[]): boolean =>
  one.length === other.length && one.every((node, at) => node === other[at]);

const Piece = memo(
  ({ piece, components }: { piece: Node[]; components: Components }) =>
    toJsxRuntime(
      { type: 'root', children: piece },
      { Fragment, jsx, jsxs, components, passNode: true, passKeys: true },
    ),
  (one, other) => one.components === other.components && isSame(one.piece, other.piece),
);

/** Counts up to a number, one more after each time that the page was painted. A print has all at once. */
function useGrowingCount(total: number): number {
  const [count, setCount] = useState(1);
  const shown = Math.min(count, total);
  useEffect(() => {
    if (shown === total) return;
    const timer = setTimeout(() => startTransition(() => setCount(shown + 1)));
    const all = (): void => flushSync(() => setCount(total));
    addEventListener('beforeprint', all);
    return () => {
      clearTimeout(timer);
      removeEventListener('beforeprint', all);
    };
  }, [shown, total]);
  return shown;
}
