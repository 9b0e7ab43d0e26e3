import { useQueryClient } from '@tanstack/react-query';
import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { GivenAnswer } from '../attempts/answers/shown-answer.tsx';
import { type Comment, FeedbackAbout } from '../attempts/feedback.tsx';
import { feedbackKey } from '../attempts/queries.ts';
import { useRemarkText } from '../attempts/use-remark-text.ts';
import { Prose } from '../markdown/prose.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { CommentForm } from './comment-form.tsx';
import { DeleteComment } from './delete-comment.tsx';
import { isTaken } from './grading-keys.ts';
import { gradingKey, type OpenedResult } from './grading-queries.ts';
import { lengthOfTime } from './length-of-time.ts';
import { Played } from './recordings.tsx';

/** Where a comment stands: at the result, a line of its output, or a moment of a recording in seconds. */
type Spot = { line?: number; recording_id?: number; seconds?: number };

/** What a student has left, and what was said about it. */
export function GradedWork({ result }: { result: OpenedResult }) {
  const { grading: words, feedback: said } = useStrings();
  const [spot, setSpot] = useState<Spot>();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'c' || isTaken(event)) return;
    event.preventDefault();
    setSpot({});
  });
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const toasts = useToasts();
  const queries = useQueryClient();
  const send = async (body: Spot & { text: string }): Promise<void> => {
    await ok(api.POST('/api/instructor/grading/{key}/comments', { params: { path: { key: result.key } }, body }));
    const changed = [[...gradingKey, 'opened', result.key], feedbackKey];
    await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
    toasts.done(said.commented);
    setSpot(undefined);
  };
  const remove = (comment: Comment) => (
    <DeleteComment
      comment={comment}
      onDelete={async () => {
        const path = { key: result.key, comment_id: comment.id };
        await ok(api.DELETE('/api/instructor/grading/{key}/comments/{comment_id}', { params: { path } }));
      }}
    />
  );
  const { student, answer, output, description, recordings } = result;
  const remark = useRemarkText()(result);
  const hasOutput = output.trim() !== '';
  const subject =
    spot?.line !== undefined
      ? said.line(spot.line)
      : spot?.seconds !== undefined
        ? said.moment(lengthOfTime(spot.seconds))
        : result.title;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card className="flex flex-col gap-3">
        <h3 className="font-semibold break-words">{result.title}</h3>
        {description !== '' && (
          <details>
            <summary className="text-sm text-ink-soft">{words.task}</summary>
            <div className="mt-2">
              <Prose text={description} />
            </div>
          </details>
        )}
        {answer && <GivenAnswer answer={answer} filePath={`/api/instructor/grading/${result.key}/file`} />}
        {!answer && remark && <p className="text-sm text-ink-soft">{remark}</p>}
        {hasOutput && <Output output={output} onLine={(line) => setSpot({ line })} />}
        <FeedbackAbout feedback={result} taskId={result.task_id} action={remove} />
        <FeedbackAbout feedback={{ ...result, decisions: [], grades: [] }} taskId={null} action={remove} />
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" onClick={() => setSpot({})} aria-haspopup="dialog">
            {said.comment}
          </Button>
          {student && (
            <AttemptLink id={student.attempt_id} className="text-sm text-accent hover:underline">
              {words.wholeAttempt}
            </AttemptLink>
          )}
        </div>
      </Card>
      {recordings.map(({ id }, index) => (
        <Recorded
          key={id}
          name={words.recording(index + 1)}
          id={id}
          comments={result.comments.filter(({ recording_id }) => recording_id === id)}
          onMoment={(seconds) => setSpot({ recording_id: id, seconds })}
        />
      ))}
      <Dialog
        title={said.commentOn(subject)}
        isOpen={spot !== undefined}
        onOpenChange={() => setSpot(undefined)}
        width="max-w-md"
      >
        <CommentForm
          hasLines={hasOutput && spot?.recording_id === undefined}
          line={spot?.line}
          onSend={(comment) => send({ ...spot, ...comment })}
        />
      </Dialog>
    </div>
  );
}

function Recorded({
  name,
  id,
  comments,
  onMoment,
}: {
  name: string;
  id: number;
  comments: OpenedResult['comments'];
  onMoment: (seconds: number) => void;
}) {
  const { teaching } = useStrings();
  const [isShown, setShown] = useState(false);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <h3 className="flex-1 font-medium">{name}</h3>
        <Button
          size="small"
          aria-expanded={isShown}
          aria-label={`${isShown ? teaching.hide : teaching.play}: ${name}`}
          onClick={() => setShown((is) => !is)}
        >
          {isShown ? teaching.hide : teaching.play}
        </Button>
      </div>
      {isShown && <Played id={id} comments={comments} onMoment={onMoment} />}
    </Card>
  );
}

/** The output with a button at each line, which comments on it. */
function Output({ output, onLine }: { output: string; onLine: (line: number) => void }) {
  const { grading: words } = useStrings();
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const lines = output.trimEnd().split('\n');
  const shown = isWhole ? lines : lines.slice(0, fewLines);
  return (
    <div className="flex flex-col gap-2">
      <ol
        aria-label={words.output}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        className="max-h-[32rem] overflow-auto rounded-md bg-sunken py-2 font-mono text-xs"
      >
        {shown.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is what stands at its place
          <li key={index} className="flex gap-2 px-2 hover:bg-line">
            <button
              type="button"
              tabIndex={-1}
              aria-label={words.commentLine(index + 1)}
              onClick={() => onLine(index + 1)}
              className="w-10 shrink-0 text-right text-ink-soft select-none hover:underline"
            >
              {index + 1}
            </button>
            <span className="min-w-0 whitespace-pre-wrap break-words">{line}</span>
          </li>
        ))}
      </ol>
      {shown.length < lines.length && (
        <div>
          <Button size="small" onClick={() => setWhole(true)}>
            {words.allLines(format.decimal(lines.length))}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Lines that are drawn at first: what a check prints can be long. */
const fewLines = 200;
