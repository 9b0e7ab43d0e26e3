import { ChevronRight } from 'lucide-react';
import { Prose } from '../markdown/prose.tsx';
import { useStrings } from '../strings/use-strings.tsx';

/** The worked solution of a task, closed at first. Nothing where the answer has none. */
export function Solution({ text }: { text: string | undefined }) {
  const t = useStrings();
  if (!text?.trim()) return null;
  return (
    <details className="group/solution">
      <summary className="inline-flex min-h-8 list-none items-center gap-1 text-sm text-ink-soft hover:text-ink">
        <ChevronRight size={16} aria-hidden="true" className="transition-transform group-open/solution:rotate-90" />
        {t.attempts.solution}
      </summary>
      <div className="mt-1 panel p-4">
        <Prose text={text} />
      </div>
    </details>
  );
}
