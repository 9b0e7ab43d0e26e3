import { useStrings } from '../../../strings/use-strings.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldOf } from '../../../ui/forms/form-field.ts';
import type { EditedKind, FieldsProps } from './task-kind.ts';

/** A file that is uploaded, or collected from the machine. */
export const file: EditedKind = {
  Fields,
  problems: ({ path }, { authoring }) => ({
    path: path === '' || /^\/[^/]/.test(path) ? undefined : authoring.task.file.pathWrong,
  }),
};

function Fields({ form, index }: FieldsProps) {
  const words = useStrings().authoring.task.file;
  return (
    <>
      <TextField
        label={words.path}
        help={words.pathHelp}
        {...fieldOf(form, `tasks.${index}.path`)}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
      />
      <ByPeople />
    </>
  );
}

/** Says that people grade the task. */
export function ByPeople() {
  const words = useStrings().authoring.task;
  return <p className="text-sm text-ink-soft">{words.byPeople}</p>;
}
