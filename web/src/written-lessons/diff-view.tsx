import { useMemo } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { type DiffPart, lineDiff } from './line-diff.ts';

/** Equal lines that are shown beside a difference. */
const context = 3;

/** The differences of two texts by line. */
export function DiffView({ label, before, after }: { label: string; before: string; after: string }) {
  const words = useStrings().written;
  const parts = useMemo(() => lineDiff(before, after), [before, after]);
  if (parts.every(({ kind }) => kind === 'same')) return <p className="text-sm text-ink-soft">{words.sameText}</p>;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (axe: scrollable-region-focusable)
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-md border bg-surface font-mono text-xs"
    >
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
        <Part key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
      ))}
    </section>
  );
}

function Part({ part: { kind, lines }, isFirst, isLast }: { part: DiffPart; isFirst: boolean; isLast: boolean }) {
  const words = useStrings().written;
  if (kind !== 'same') return <Lines kind={kind} lines={lines} />;
  const [head, tail] = [isFirst ? 0 : context, isLast ? 0 : context];
  if (lines.length <= head + tail + 1) return <Lines kind="same" lines={lines} />;
  return (
    <>
      <Lines kind="same" lines={lines.slice(0, head)} />
      <p className="bg-sunken px-3 py-1 text-ink-soft">{words.omitted(lines.length - head - tail)}</p>
      <Lines kind="same" lines={tail === 0 ? [] : lines.slice(-tail)} />
    </>
  );
}

const looks = { same: '', added: 'bg-good-soft', gone: 'bg-bad-soft' };
const signs = { same: ' ', added: '+', gone: '−' };

function Lines({ kind, lines }: DiffPart) {
  const words = useStrings().written;
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    <p key={index} className={classes('flex gap-2 px-3 whitespace-pre-wrap wrap-anywhere', looks[kind])}>
      <span aria-hidden="true">{signs[kind]}</span>
      {kind !== 'same' && <span className="sr-only">{words[kind]}</span>}
      <span className="min-w-0">{line || ' '}</span>
    </p>
  ));
}
