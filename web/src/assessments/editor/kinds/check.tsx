import { useStrings } from '../../../strings/use-strings.tsx';
import { Checkbox, Select } from '../../../ui/forms/field.tsx';
import { fieldOf } from '../../../ui/forms/form-field.ts';
import { ScriptField } from '../script-field.tsx';
import type { EditedKind, FieldsProps } from './task-kind.ts';

/** A script that looks at the machine. */
export const check: EditedKind = {
  Fields,
  problems: ({ verification_script }, { authoring }) => ({
    verification_script: verification_script.trim() === '' ? authoring.assessment.required : undefined,
  }),
};

function Fields({ form, task, index }: FieldsProps) {
  const words = useStrings().authoring.task;
  const script = (name: 'verification_script' | 'solution_script' | 'partial_script') =>
    ({ control: form.control, name: `tasks.${index}.${name}` }) as const;
  return (
    <>
      <ScriptField label={words.script} help={words.scriptHelp} {...script('verification_script')} />
      <Select
        label={words.verdict}
        {...fieldOf(form, `tasks.${index}.verdict`)}
        options={(['pass', 'exit-status', 'ok'] as const).map((value) => ({ value, label: words.verdicts[value] }))}
      />
      <div className="flex flex-col">
        <Checkbox label={words.partialCredit} {...form.register(`tasks.${index}.has_partial_credit`)} />
        <p className="text-sm text-ink-soft">{words.partialCreditHelp}</p>
      </div>
      <ScriptField label={words.solution} help={words.solutionHelp} {...script('solution_script')} />
      {task.has_partial_credit && (
        <ScriptField label={words.partialSolution} help={words.partialSolutionHelp} {...script('partial_script')} />
      )}
    </>
  );
}
