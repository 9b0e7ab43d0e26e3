import { lazy, Suspense, useId } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Skeleton } from '../ui/states.tsx';

const ScriptEditor = lazy(async () => ({ default: (await import('./script-editor.tsx')).ScriptEditor }));

/** A labelled editor for a script. The editor is loaded when the first one is shown. */
export function ScriptField({
  label,
  help,
  problem,
  value,
  onChange,
}: {
  label: string;
  help: string;
  problem?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useStrings();
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <span id={`${id}-label`} className="text-sm font-medium">
        {label}
      </span>
      <Suspense fallback={<Skeleton className="h-44" />}>
        <ScriptEditor
          value={value}
          onChange={onChange}
          labelledBy={`${id}-label`}
          describedBy={`${id}-note`}
          isInvalid={problem !== undefined}
        />
      </Suspense>
      <p id={`${id}-note`} className="text-sm text-ink-soft">
        {problem && <span className="block text-bad">{problem}</span>}
        {help} {t.authoring.task.leaveEditor}
      </p>
    </div>
  );
}
