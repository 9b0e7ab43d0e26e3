import { MarkdownArea } from '../../../markdown/markdown-area.tsx';
import { Prose } from '../../../markdown/prose.tsx';
import { useStrings } from '../../../strings/use-strings.tsx';
import type { AnswerKind, InputProps, ShownProps } from '../answer-kind.ts';

/** A text in Markdown, which people grade. */
export const essay: AnswerKind = { Input, Shown };

/** Milliseconds from a key to the request, which has the whole text. */
const delay = 2000;
/** Characters, as the service allows. */
const maxLength = 100_000;

function Input({ state, onChange, onLeave, control, isReadOnly }: InputProps) {
  const { answers: words } = useStrings();
  const { given } = state;
  return (
    <MarkdownArea
      {...control}
      label={words.answer}
      help={words.essayHelp}
      rows={10}
      maxLength={maxLength}
      readOnly={isReadOnly}
      required
      value={given && 'text' in given ? given.text : ''}
      onChange={({ target }) => onChange({ text: target.value }, delay)}
      onBlur={onLeave}
    />
  );
}

function Shown({ answer: { text } }: ShownProps) {
  return (
    <div className="rounded-md border bg-ground px-3 py-2">
      <Prose text={text ?? ''} />
    </div>
  );
}
