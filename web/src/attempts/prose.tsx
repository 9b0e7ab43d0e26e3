import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { keepLineBreaks } from './line-breaks.ts';

const heading: Components['h1'] = ({ children }) => <p className="font-semibold">{children}</p>;
const components: Components = {
  // Tasks are below the page's own headings, and a text must not break their hierarchy.
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1 pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="flex list-decimal flex-col gap-1 pl-5">
      {children}
    </ol>
  ),
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer" className="text-accent underline">
      {children}
    </a>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <pre tabIndex={0} className="overflow-x-auto rounded-md border bg-sunken p-3 font-mono text-xs leading-relaxed">
      {children}
    </pre>
  ),
  code: ({ children }) => (
    <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.9em] wrap-anywhere in-[pre]:bg-transparent in-[pre]:p-0 in-[pre]:text-[1em] in-[pre]:wrap-normal">
      {children}
    </code>
  ),
  table: ({ children }) => (
    <div className="overflow-x-auto [&_td]:border [&_td]:px-2 [&_td]:py-1 [&_th]:border [&_th]:px-2 [&_th]:py-1">
      <table className="text-sm">{children}</table>
    </div>
  ),
  // The service sends no pictures with exams and laboratories, and the policy allows none from other sites.
  img: ({ alt }) => <span>{alt}</span>,
};

/** An author's text about an exam, a laboratory or a task: Markdown without HTML, or plain text with its line breaks. */
export const Prose = ({ text }: { text: string }) => (
  <div className="flex min-w-0 flex-col gap-3 text-sm leading-relaxed wrap-anywhere">
    <Markdown remarkPlugins={[remarkGfm]} components={components}>
      {keepLineBreaks(text)}
    </Markdown>
  </div>
);
