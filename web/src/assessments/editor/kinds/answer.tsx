import { useStrings } from '../../../strings/use-strings.tsx';
import { Checkbox, TextArea, TextField } from '../../../ui/forms/field.tsx';
import { fieldOf } from '../../../ui/forms/form-field.ts';
import { numberOf } from '../draft.ts';
import type { EditedKind, FieldsProps } from './task-kind.ts';

/** A line of text, a number or an expression. */
export const answer: EditedKind = {
  Fields,
  problems: ({ accepted, is_numeric, tolerance }, { authoring, problems }) => ({
    accepted: accepted.trim() === '' ? problems.accepted_missing : undefined,
    tolerance:
      is_numeric && !(tolerance.trim() !== '' && numberOf(tolerance) >= 0)
        ? authoring.task.answer.toleranceWrong
        : undefined,
  }),
};

function Fields({ form, task: { is_numeric, is_expression }, index }: FieldsProps) {
  const words = useStrings().authoring.task.answer;
  const field = (name: 'accepted' | 'tolerance' | 'unit') => fieldOf(form, `tasks.${index}.${name}`);
  const rule = (name: 'is_numeric' | 'is_expression' | 'is_case_sensitive' | 'is_blank_sensitive') =>
    form.register(`tasks.${index}.${name}`);
  return (
    <>
      <Checkbox label={words.numeric} {...rule('is_numeric')} />
      {!is_numeric && <Checkbox label={words.expression} {...rule('is_expression')} />}
      <TextArea
        label={words.accepted}
        help={is_numeric ? words.acceptedNumberHelp : is_expression ? words.acceptedExpressionHelp : words.acceptedHelp}
        {...field('accepted')}
        rows={3}
        required
        spellCheck={false}
      />
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        {is_numeric && (
          <TextField
            label={words.tolerance}
            help={words.toleranceHelp}
            {...field('tolerance')}
            inputMode="decimal"
            autoComplete="off"
            required
            className="tabular-nums"
          />
        )}
        <TextField label={words.unit} help={words.unitHelp} {...field('unit')} maxLength={40} autoComplete="off" />
      </div>
      {!is_numeric && (
        <div className="flex flex-col">
          <Checkbox label={words.caseSensitive} {...rule('is_case_sensitive')} />
          {!is_expression && <Checkbox label={words.blankSensitive} {...rule('is_blank_sensitive')} />}
        </div>
      )}
    </>
  );
}
