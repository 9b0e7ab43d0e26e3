import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { Strings } from '../../../strings/en/index.ts';
import { useStrings } from '../../../strings/use-strings.tsx';
import { useDoor } from '../../../teaching-model/door.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Checkbox, TextField } from '../../../ui/forms/field.tsx';
import type { TaskDraft } from '../draft.ts';
import type { EditedKind, FieldsProps } from './task-kind.ts';

/** One choice or several. */
export const choice: EditedKind = {
  Fields,
  problems: ({ choices, is_multiple }, t) => ({ choices: problemOf(choices, is_multiple, t) }),
};

type Choices = TaskDraft['choices'];

function problemOf(choices: Choices, isMultiple: boolean, { authoring, problems }: Strings): string | undefined {
  if (choices.length < 2) return problems.choices_missing;
  if (choices.some(({ text }) => text.trim() === '')) return authoring.assessment.required;
  if (new Set(choices.map(({ text }) => text.trim())).size < choices.length) return problems.choices_alike;
  const right = choices.filter(({ is_correct }) => is_correct).length;
  if (isMultiple) return right === 0 ? problems.choices_none_right : undefined;
  return right === 1 ? undefined : problems.choices_one_right;
}

const maxChoices = 50;
/** Ids are below, and say nothing of the order in which an author has added the choices. */
const ids = 1_000_000;

function newId(choices: Choices): number {
  const id = 1 + Math.floor(Math.random() * (ids - 1));
  return choices.some((one) => one.id === id) ? newId(choices) : id;
}

function Fields({ form, task: { choices, is_multiple }, index }: FieldsProps) {
  const { task: words } = useStrings().authoring;
  const { mayChange } = useDoor();
  const id = useId();
  const [added, setAdded] = useState<number>();
  const name = `tasks.${index}.choices` as const;
  const problem = form.getFieldState(name, form.formState).error?.message;
  const change = (next: Choices): void =>
    form.setValue(name, next, { shouldDirty: true, shouldValidate: problem !== undefined });
  const put = (place: number, part: Partial<Choices[number]>): void =>
    change(choices.map((one, at) => (at === place ? { ...one, ...part } : one)));
  const mark = (place: number, is_correct: boolean): void =>
    change(
      choices.map((one, at) =>
        at === place ? { ...one, is_correct } : is_multiple ? one : { ...one, is_correct: false },
      ),
    );
  const move = (from: number, to: number): void =>
    change(choices.toSpliced(from, 1).toSpliced(to, 0, ...choices.slice(from, from + 1)));
  return (
    <>
      <div className="flex flex-col">
        <Checkbox label={words.choice.several} {...form.register(`tasks.${index}.is_multiple`)} />
        <p className="text-sm text-ink-soft">{words.choice.severalHelp}</p>
      </div>
      {is_multiple && (
        <div className="flex flex-col">
          <Checkbox label={words.partialCredit} {...form.register(`tasks.${index}.has_partial_credit`)} />
          <p className="text-sm text-ink-soft">{words.choice.partialCreditHelp}</p>
        </div>
      )}
      <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={`${id}-note`}>
        <legend className="mb-1 text-sm font-medium">{words.choice.choices}</legend>
        {choices.map((one, place) => (
          <div key={one.id} className="flex flex-wrap items-center gap-1 sm:flex-nowrap">
            <input
              type={is_multiple ? 'checkbox' : 'radio'}
              name={`${id}-right`}
              aria-label={words.choice.isRight(place + 1)}
              title={words.choice.isRight(place + 1)}
              checked={one.is_correct ?? false}
              onChange={({ target }) => mark(place, target.checked)}
              className="mr-2 size-4 shrink-0 accent-accent"
            />
            <div className="min-w-0 flex-1">
              <TextField
                label={words.choice.text(place + 1)}
                isLabelHidden
                value={one.text}
                autoFocus={one.id === added}
                onChange={({ target }) => put(place, { text: target.value })}
                aria-invalid={(problem !== undefined && one.text.trim() === '') || undefined}
                maxLength={2000}
                autoComplete="off"
              />
            </div>
            {mayChange && (
              <span className="flex">
                <IconButton
                  label={words.choice.up(place + 1)}
                  disabled={place === 0}
                  onClick={() => move(place, place - 1)}
                >
                  <ArrowUp size={16} aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={words.choice.down(place + 1)}
                  disabled={place === choices.length - 1}
                  onClick={() => move(place, place + 1)}
                >
                  <ArrowDown size={16} aria-hidden="true" />
                </IconButton>
                <IconButton label={words.choice.remove(place + 1)} onClick={() => change(choices.toSpliced(place, 1))}>
                  <Trash2 size={16} aria-hidden="true" />
                </IconButton>
              </span>
            )}
          </div>
        ))}
        {mayChange && choices.length < maxChoices && (
          <Button
            size="small"
            className="self-start"
            aria-invalid={(problem !== undefined && choices.every(({ text }) => text.trim() !== '')) || undefined}
            onClick={() => {
              const next = newId(choices);
              setAdded(next);
              change([...choices, { id: next, text: '', is_correct: false }]);
            }}
          >
            <Plus size={16} aria-hidden="true" /> {words.choice.add}
          </Button>
        )}
        <p id={`${id}-note`} className={problem ? 'text-sm text-bad' : 'text-sm text-ink-soft'}>
          {problem ?? words.choice.help}
        </p>
      </fieldset>
    </>
  );
}
