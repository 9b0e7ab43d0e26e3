import { Link2, Square, SquareCheckBig } from 'lucide-react';
import { memo, useEffect, useMemo } from 'react';
import Markdown, { type Components, defaultUrlTransform, type ExtraProps } from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type AlertKind, withGitHubAlerts } from './alerts.ts';
import { CodeBlock } from './code-block.tsx';
import { withoutFrontMatter } from './front-matter.ts';
import { LessonAlert } from './lesson-alert.tsx';
import { LessonLink } from './lesson-link.tsx';
import { LessonPicture } from './lesson-picture.tsx';
import { markdownSchema } from './markdown-schema.ts';
import type { Source } from './references.ts';
import { alerts, anchors, type Element, elementsOf, type Heading, headings, textOf } from './tree-plugins.ts';

type HeadingTag = 'h2' | 'h3' | 'h4' | 'h5' | 'h6';

/**
 * The text of a lesson. Its Markdown may contain HTML, of which only the elements in markdown-schema.ts reach the page.
 * @param title the page's title of the lesson: a heading that repeats it is left out
 */
export const LessonText = memo(function LessonText({
  markdown,
  title,
  source,
  onHeadings = nothing,
}: {
  markdown: string;
  title: string;
  source: Source;
  onHeadings?: (headings: Heading[]) => void;
}) {
  const t = useStrings();
  const { themeId, path } = source;
  const components = useMemo(() => componentsOf({ themeId, path }, t.lessons), [themeId, path, t]);
  const text = useMemo(() => withGitHubAlerts(withoutFrontMatter(markdown)), [markdown]);
  // Collected during rendering, reported after the commit.
  const found: Heading[] = [];
  useEffect(() => onHeadings(found));
  return (
    <div className="lesson-text">
      <Markdown
        remarkPlugins={[remarkGfm]}
        remarkRehypeOptions={{
          clobberPrefix: '',
          footnoteLabel: t.lessons.footnotes,
          footnoteBackLabel: t.lessons.backToText,
        }}
        rehypePlugins={[
          rehypeRaw,
          [rehypeSanitize, markdownSchema],
          alerts,
          anchors,
          [headings, { title, onHeadings: (list: Heading[]) => found.splice(0, found.length, ...list) }],
        ]}
        urlTransform={urlOf}
        components={components}
      >
        {text}
      </Markdown>
    </div>
  );
});

/** Pictures in the text itself are judged with the other references. */
const urlOf = (url: string, name: string): string =>
  name === 'src' && url.startsWith('data:') ? url : defaultUrlTransform(url);

const nothing = (): void => {};

function componentsOf(source: Source, words: Strings['lessons']): Components {
  const heading = (Tag: HeadingTag) =>
    function LessonHeading({ node, children, id, className }: ExtraProps & JSX<HeadingTag>) {
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
        <LessonLink url={href} source={source} id={id} aria-label={label} aria-describedby={describedBy}>
          {children}
        </LessonLink>
      ),
    img: ({ src, alt = '', width, height }) => (
      <LessonPicture url={typeof src === 'string' ? src : ''} {...{ alt, source, width, height }} />
    ),
    pre: ({ node, children }) => {
      const code = node?.children.find((child): child is Element => child.type === 'element');
      return code?.tagName === 'code' ? (
        <CodeBlock code={textOf(code).replace(/\n$/, '')} language={languageOf(code)} />
      ) : (
        <pre>{children}</pre>
      );
    },
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

type JSX<Tag extends keyof React.JSX.IntrinsicElements> = React.JSX.IntrinsicElements[Tag];

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
