import { fillMarkdown, fillText } from '../../../../packages/placeholders/placeholders.ts';
import { Prose } from '../../markdown/prose.tsx';
import { useStrings } from '../../strings/use-strings.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { parametersOf, samplesOf } from './parameters-text.ts';
import type { AssessmentEditor } from './use-editor.ts';

/** The parameters of a task, with the text as three students could see it. */
export function ParametersField({ editor: { form, draft }, index }: { editor: AssessmentEditor; index: number }) {
  const words = useStrings().authoring.task;
  const { title = '', description = '', parameters: typed = '' } = draft.tasks[index] ?? {};
  const parameters = parametersOf(typed);
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label={words.parameters}
        help={words.parametersHelp}
        {...fieldOf(form, `tasks.${index}.parameters`)}
        rows={2}
        spellCheck={false}
        autoCapitalize="off"
        placeholder={'port: 20000..29999\nuser: anna | ben'}
        className="font-mono"
      />
      {parameters && (
        <details className="rounded-md border px-3 py-2">
          <summary className="cursor-pointer text-sm font-medium">{words.samples}</summary>
          <ul className="mt-2 flex flex-col gap-3">
            {samplesOf(parameters).map((values, sample) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: there are always three, in their order
              <li key={sample} className="rounded-md bg-ground px-3 py-2">
                <p className="font-semibold">{fillText(title, values)}</p>
                <Prose text={fillMarkdown(description, values)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
