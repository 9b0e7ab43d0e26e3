import { ChevronRight } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import type { Result } from './queries.ts';
import { useRemarkText } from './use-remark-text.ts';

/** The output of a check, open if it failed: it says what is missing, and the remark says the rest. The service stores at most 64 KiB of it. */
export function CheckOutput({ result }: { result: Result }) {
  const t = useStrings();
  const remark = useRemarkText()(result);
  return (
    <>
      {remark && <p className="text-sm text-ink-soft">{remark}</p>}
      {result.output.trim() === '' ? (
        <p className="text-sm text-ink-soft">{t.attempts.noOutput}</p>
      ) : (
        <Output result={result} />
      )}
    </>
  );
}

function Output({ result: { title, output, passed } }: { result: Result }) {
  const t = useStrings();
  return (
    <details open={!passed} className="group/output">
      <summary className="inline-flex min-h-8 list-none items-center gap-1 text-sm text-ink-soft hover:text-ink">
        <ChevronRight size={16} aria-hidden="true" className="transition-transform group-open/output:rotate-90" />
        {t.attempts.output}
      </summary>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        aria-label={t.attempts.outputOf(title)}
        className="mt-1 max-h-80 overflow-auto rounded-md border bg-sunken p-3"
      >
        <pre className="font-mono text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere">{output}</pre>
      </section>
    </details>
  );
}
