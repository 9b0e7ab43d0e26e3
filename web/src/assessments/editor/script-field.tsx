import { lazy, Suspense, useId } from 'react';
import { type Control, useController } from 'react-hook-form';
import { neededPart } from '../../routing/needed-part.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { useDoor } from '../../teaching-model/door.ts';
import { Skeleton } from '../../ui/states.tsx';
import type { Draft } from './draft.ts';

const ScriptEditor = lazy(() => neededPart(async () => (await import('./script-editor.tsx')).ScriptEditor));

/** A labelled editor for a script. The editor is loaded when it is first shown. */
export function ScriptField({
  label,
  help,
  ...field
}: {
  label: string;
  help: string;
  control: Control<Draft>;
  name:
    | `tasks.${number}.${'verification_script' | 'solution_script' | 'partial_script' | 'setup_script'}`
    | 'settings.setup_script';
}) {
  const {
    field: { value, onChange },
    fieldState: { error },
  } = useController(field);
  const problem = error?.message;
  const t = useStrings();
  const id = useId();
  const { mayChange } = useDoor();
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
          isReadOnly={!mayChange}
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
