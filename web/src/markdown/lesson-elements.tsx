import type { ExtraProps } from 'hast-util-to-jsx-runtime';
import {
  Info,
  Lightbulb,
  Link2,
  MessageSquareWarning,
  OctagonAlert,
  Square,
  SquareCheckBig,
  TriangleAlert,
} from 'lucide-react';
import { Tabs } from 'radix-ui';
import { Children, type ReactNode } from 'react';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { CodeBlock } from './code-block.tsx';
import { Diagram } from './diagram.tsx';
import { BlockFormula, Formula } from './formula.tsx';
import { LessonLink } from './lesson-link.tsx';
import { LessonPicture } from './lesson-picture.tsx';
import type { AlertKind } from './parsing/alert-kinds.ts';
import type { Source } from './parsing/references.ts';
import { type Element, elementsOf, type Node, textOf } from './parsing/tree-plugins.ts';

type Tag = keyof React.JSX.IntrinsicElements;
export type Components = { [Name in Tag]?: (props: JSX<Name> & ExtraProps) => ReactNode };
type HeadingTag = 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
type JSX<Name extends Tag> = React.JSX.IntrinsicElements[Name];

/** What the elements of a text are drawn with. @param source see `LessonText` */
export function componentsOf(
  source: Source | undefined,
  prefix: string | undefined,
  words: Strings['markdown'],
): Components {
  const heading = headingOf(source !== undefined, words);
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

/** The headings, with links to them in a lesson. */
const headingOf = (isLesson: boolean, words: Strings['markdown']) => (Tag: HeadingTag) =>
  function LessonHeading({ node, children, id, className }: ExtraProps & JSX<HeadingTag>) {
    if (!isLesson && !className) return <p className="font-semibold">{children}</p>;
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

const isElement = (node: Node): node is Element => node.type === 'element';
const titleOfTab = ({ properties }: Element): string => String(properties['dataTab'] ?? '');

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

const icons = {
  note: Info,
  tip: Lightbulb,
  important: MessageSquareWarning,
  warning: TriangleAlert,
  caution: OctagonAlert,
};

/** An admonition. Without a title of its own it has the name of its kind. */
function LessonAlert({
  kind,
  hasTitle = false,
  children,
}: {
  kind: AlertKind;
  hasTitle: boolean | undefined;
  children: ReactNode;
}) {
  const t = useStrings();
  const Icon = icons[kind];
  return (
    <div role="note" className="alert" data-kind={kind}>
      <Icon size={18} aria-hidden="true" className="alert-icon" />
      {!hasTitle && <p data-alert-title="true">{t.markdown.alerts[kind]}</p>}
      {children}
    </div>
  );
}

const tab =
  'min-h-10 border-b-2 border-transparent px-3 text-sm text-ink-soft data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink focus-visible:-outline-offset-2';

/** The tabs of a text, such as the commands of several systems. A print has all of them. */
function TextTabs({ titles, children }: { titles: string[]; children: ReactNode }) {
  const panels = Children.toArray(children);
  return (
    <Tabs.Root defaultValue="0" className="my-4 rounded-lg border bg-surface">
      <Tabs.List className="flex flex-wrap border-b px-2">
        {titles.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs never move
          <Tabs.Trigger key={index} value={String(index)} className={tab}>
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {panels.map((panel, index) => (
        <Tabs.Content
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs never move
          key={index}
          value={String(index)}
          forceMount
          className="px-4 py-1 data-[state=inactive]:hidden print:block!"
        >
          {panel}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
