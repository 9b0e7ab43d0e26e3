import { Prose } from '../markdown/prose.tsx';
import { useStrings } from '../strings/use-strings.tsx';

/** The worked solution of a task, closed at first. Nothing where the answer has none. */
export function Solution({ text }: { text: string | undefined }) {
  const t = useStrings();
  if (!text?.trim()) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer py-1 text-accent underline-offset-2 hover:underline">
        {t.attempts.solution}
      </summary>
      <div className="mt-1 panel p-4">
        <Prose text={text} />
      </div>
    </details>
  );
}
