import { type ExtraProps, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { Link2, Square, SquareCheckBig } from 'lucide-react';
import { memo, type ReactNode, startTransition, useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { flushSync } from 'react-dom';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import type { AlertKind } from './alerts.ts';
import { CodeBlock } from './code-block.tsx';
import { Diagram } from './diagram.tsx';
import { BlockFormula, Formula } from './formula.tsx';
import { LessonAlert } from './lesson-alert.tsx';
import { LessonLink } from './lesson-link.tsx';
import { LessonPicture } from './lesson-picture.tsx';
import type { Source } from './references.ts';
import { TextTabs } from './text-tabs.tsx';
import { type Element, elementsOf, type Heading, type Node, textOf } from './tree-plugins.ts';
import type { ParsedText } from './use-parsed-text.ts';

type Tag = keyof React.JSX.IntrinsicElements;
type Components = { [Name in Tag]?: (props: JSX<Name> & ExtraProps) => ReactNode };
type HeadingTag = 'h2' | 'h3' | 'h4' | 'h5' | 'h6';

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
  const components = useMemo(() => componentsOf(source, prefix, t.lessons), [source, prefix, t]);
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

function componentsOf(source: Source | undefined, prefix: string | undefined, words: Strings['lessons']): Components {
  const heading = (Tag: HeadingTag) =>
    function LessonHeading({ node, children, id, className }: ExtraProps & JSX<HeadingTag>) {
      if (!source && !className) return <p className="font-semibold">{children}</p>;
      if (className) return <Tag {...{ id, className }}>{children}</Tag>;
      return (
        <Tag id={id} className="group scroll-mt-14 @4xl:scroll-mt-4">
          {children}
          <a
            href={`#${id}`}
            aria-label={words.linkToHeading(node ? textOf(node) : '')}
            className="ml-2 inline-block align-middle text-ink-soft opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
          >
            <Link2 size={16} aria-hidden="true" />
          </a>
        </Tag>
      );
    };
  return {
    h2: heading('h2'),
    h3: heading('h3'),
    h4: heading('h4'),
    h5: heading('h5'),
    h6: heading('h6'),
    a: ({ href, children, id, 'aria-label': label, 'aria-describedby': describedBy }) =>
      href === undefined ? (
        <span id={id}>{children}</span>
      ) : (
        <LessonLink
          url={href}
          source={source}
          prefix={prefix}
          id={id}
          aria-label={label}
          aria-describedby={describedBy}
        >
          {children}
        </LessonLink>
      ),
    img: ({ src, alt = '', width, height }) => (
      <LessonPicture url={typeof src === 'string' ? src : ''} {...{ alt, source, width, height }} />
    ),
    pre: ({ node, children }) => {
      const code = node?.children.find((child): child is Element => child.type === 'element');
      if (code?.tagName !== 'code') return <pre>{children}</pre>;
      const [text, language] = [textOf(code).replace(/\n$/, ''), languageOf(code)];
      if (language === 'math') return <BlockFormula formula={text} />;
      if (language === 'mermaid') return <Diagram code={text} />;
      return <CodeBlock code={text} language={language} />;
    },
    code: ({ node, children }) =>
      node?.properties['dataFormula'] === undefined ? <code>{children}</code> : <Formula formula={textOf(node)} />,
    div: ({ node, children, id, title, lang, dir }) =>
      node?.properties['dataTabs'] === undefined ? (
        <div {...{ id, title, lang, dir }}>{children}</div>
      ) : (
        <TextTabs titles={node.children.filter(isElement).map(titleOfTab)}>{children}</TextTabs>
      ),
    blockquote: ({ node, children }) => {
      const kind = node?.properties['dataAlert'];
      if (typeof kind !== 'string') return <blockquote>{children}</blockquote>;
      const hasTitle = node?.children.some((child) => child.type === 'element' && child.properties['dataAlertTitle']);
      return <LessonAlert {...{ kind: kind as AlertKind, hasTitle, children }} />;
    },
    // The checkbox of a task shows the author's state, and readers cannot change it.
    input: ({ checked }) => {
      const Box = checked ? SquareCheckBig : Square;
      const label = checked ? words.taskDone : words.taskOpen;
      return <Box role="img" aria-label={label} size={16} className="task-box" />;
    },
    table: ({ node, children }) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (axe: scrollable-region-focusable)
      <section aria-label={words.table(node ? titlesOf(node) : '')} tabIndex={0} className="table-scroll">
        <table>{children}</table>
      </section>
    ),
  };
}

const isElement = (node: Node): node is Element => node.type === 'element';
const titleOfTab = ({ properties }: Element): string => String(properties['dataTab'] ?? '');

type JSX<Name extends Tag> = React.JSX.IntrinsicElements[Name];

/** The column headings of a table. */
const titlesOf = (table: Element): string =>
  [...elementsOf(table.children)]
    .filter(({ tagName }) => tagName === 'th')
    .map(textOf)
    .filter(Boolean)
    .join(', ');

/** The language in the fence of a block. */
function languageOf({ properties }: Element): string {
  const names = properties['className'];
  const name = Array.isArray(names) ? names.map(String).find((each) => each.startsWith('language-')) : undefined;
  return name?.slice('language-'.length).toLowerCase() ?? '';
}
