import { useId } from 'react';
import { useStrings } from '../../../strings/use-strings.tsx';
import { classes } from '../../../ui/classes.ts';
import { inputClasses } from '../../../ui/forms/field.tsx';
import type { AnswerKind, InputProps, ShownProps } from '../answer-kind.ts';

/** One line: a text, a number with its unit, or an expression. */
export const answer: AnswerKind = { Input, Shown };

/** Milliseconds from a key to the request. */
const delay = 1000;
/** Characters, as the service allows. */
const maxLength = 1000;

function Input({ task: { unit, is_expression }, state, onChange, onLeave, control, isReadOnly }: InputProps) {
  const { answers: words } = useStrings();
  const id = useId();
  const { given } = state;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {words.answer}
        </label>
        <input
          {...control}
          aria-describedby={`${control['aria-describedby']}${is_expression ? ` ${id}-help` : ''}`}
          id={id}
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={maxLength}
          readOnly={isReadOnly}
          value={given && 'text' in given ? given.text : ''}
          onChange={({ target }) => onChange({ text: target.value }, delay)}
          onBlur={onLeave}
          className={classes(inputClasses, 'max-w-md min-w-0 flex-1')}
        />
        {unit && <span className="text-sm text-ink-soft">{unit}</span>}
      </div>
      {is_expression && (
        <p id={`${id}-help`} className="text-sm text-ink-soft">
          {words.expressionHelp}
        </p>
      )}
    </div>
  );
}

function Shown({ answer: { text, unit, right_answer: right } }: ShownProps) {
  const { answers: words } = useStrings();
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm [&_dd]:wrap-anywhere [&_dt]:text-ink-soft">
      <dt>{words.given}</dt>
      <dd className="font-medium whitespace-pre-wrap">
        {text} {unit !== '' && text?.trim().endsWith(unit ?? '') ? '' : unit}
      </dd>
      {right?.accepted && (
        <>
          <dt>{words.accepted}</dt>
          <dd>
            {right.accepted.join(words.or)} {right.tolerance ? `± ${right.tolerance} ` : ''}
            {unit}
          </dd>
        </>
      )}
    </dl>
  );
}
