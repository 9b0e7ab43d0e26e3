import { Check } from 'lucide-react';
import { Prose } from '../../../markdown/prose.tsx';
import { useStrings } from '../../../strings/use-strings.tsx';
import { classes } from '../../../ui/classes.ts';
import type { AnswerKind, InputProps, ShownProps } from '../answer-kind.ts';

/** One line of Markdown, which is a paragraph, without the space around it. */
const line = 'min-w-0 flex-1 [&_p]:my-0!';

/** One choice, or several, in the order of the service, which differs between attempts. */
export const choice: AnswerKind = { Input, Shown };

function Input({ task: { id, choices = [], is_multiple = false }, state, onChange, control, isReadOnly }: InputProps) {
  const { answers: words } = useStrings();
  const { given } = state;
  const chosen = given && 'choice_ids' in given ? given.choice_ids : [];
  const choose = (choiceId: number, isChosen: boolean): void => {
    const others = is_multiple ? chosen.filter((one) => one !== choiceId) : [];
    onChange({ choice_ids: isChosen ? [...others, choiceId] : others }, 0);
  };
  return (
    <fieldset {...control} className="flex min-w-0 flex-col gap-1">
      <p className="text-sm text-ink-soft">{is_multiple ? words.several : words.one}</p>
      {choices.map((one) => (
        <label
          key={one.id}
          className="flex min-h-10 items-start gap-2 rounded-md border px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type={is_multiple ? 'checkbox' : 'radio'}
            name={`choice-${id}`}
            checked={chosen.includes(one.id)}
            disabled={isReadOnly}
            onChange={({ target }) => choose(one.id, target.checked)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span className={line}>
            <Prose text={one.text} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Shown({ answer: { choices = [], choice_ids, right_answer } }: ShownProps) {
  const { answers: words } = useStrings();
  const chosen = choice_ids ?? [];
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {choices.map(({ id, text }) => {
        const isChosen = chosen.includes(id);
        const isRight = right_answer?.choice_ids?.includes(id);
        return (
          <li key={id} className={classes('flex items-start gap-2', !isChosen && 'text-ink-soft')}>
            <span
              className={classes(
                'mt-0.5 flex size-4 shrink-0 items-center justify-center rounded border border-line-strong',
                isChosen && 'border-accent bg-accent text-on-accent',
              )}
            >
              {isChosen && <Check size={12} aria-hidden="true" />}
            </span>
            <span className={line}>
              <Prose text={text} />
              {isChosen && <span className="sr-only">{words.chosen}</span>}
            </span>
            {isRight !== undefined && (isChosen || isRight) && (
              <span className={classes('font-medium', isRight ? 'text-good' : 'text-bad')}>
                {isRight ? words.right : words.wrong}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
