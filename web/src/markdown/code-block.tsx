import { Check, Copy, Play } from 'lucide-react';
import { type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { useToasts } from '../ui/toasts.tsx';
import { commandsOf } from './commands.ts';
import { highlight, type Line } from './highlight.ts';
import { RunContext } from './run-context.ts';
import { useSeen } from './use-seen.ts';

/** Highlighting longer code would be noticeably slow. */
const maxHighlighted = 50_000;

/** A block of code: highlighted when it is seen, with a button to copy it, and one to run it where it is for a shell. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  const t = useStrings();
  const toasts = useToasts();
  const run = useContext(RunContext);
  const element = useRef<HTMLDivElement>(null);
  const lines = useHighlighted(element, code, language);
  const [isCopied, setCopied] = useState(false);
  const commands = commandsOf(code, language);
  const copy = async (): Promise<void> => {
    if (await copyText(commands ?? code)) setCopied(true);
    else toasts.inform(t.markdown.copyFailed);
  };
  return (
    <div ref={element} className="code-block overflow-hidden rounded-lg border bg-surface">
      <div className="flex min-h-10 flex-wrap items-center gap-1 border-b bg-ground px-2">
        <span className="mr-auto truncate px-1 font-mono text-xs text-ink-soft">{language || t.markdown.code}</span>
        {run && commands && (
          <Button look="quiet" size="small" className="scroll-mt-14 @4xl:scroll-mt-4" onClick={() => run(commands)}>
            <Play size={14} aria-hidden="true" /> {t.markdown.run}
          </Button>
        )}
        <Button look="quiet" size="small" onClick={() => void copy()} onBlur={() => setCopied(false)}>
          {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
          <span aria-live="polite">{isCopied ? t.markdown.copied : t.markdown.copyCode}</span>
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (axe: scrollable-region-focusable) */}
      <pre tabIndex={0} className="overflow-x-auto p-4 font-mono text-[0.8125rem] leading-relaxed -outline-offset-2">
        <code>{lines ? <Coloured lines={lines} /> : code}</code>
      </pre>
    </div>
  );
}

// Neither lines nor pieces ever move: their place is their name.
/* biome-ignore-start lint/suspicious/noArrayIndexKey: see above */
const Coloured = ({ lines }: { lines: readonly Line[] }) =>
  lines.map((line, index) => (
    <span key={index}>
      {line.map(({ content, htmlStyle }, piece) => (
        <span key={piece} className="code-token" style={htmlStyle}>
          {content}
        </span>
      ))}
      {index < lines.length - 1 && '\n'}
    </span>
  ));
/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */

function useHighlighted(
  element: RefObject<HTMLElement | null>,
  code: string,
  language: string,
): readonly Line[] | undefined {
  const isSeen = useSeen(element);
  const [lines, setLines] = useState<readonly Line[]>();
  useEffect(() => {
    let isCurrent = true;
    setLines(undefined);
    if (!isSeen || language === '' || code.length > maxHighlighted) return;
    highlight(code, language).then(
      (found) => isCurrent && setLines(found),
      // Without highlighting it is still readable.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [isSeen, code, language]);
  return lines;
}
