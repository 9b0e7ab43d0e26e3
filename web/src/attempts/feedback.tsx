import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquare, Scale } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok } from '../api/problem.ts';
import { TextDialog } from '../help/reports.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Attempt } from './active.ts';
import { feedbackKey } from './queries.ts';

export type Feedback = Answer<'/api/exams/attempts/{id}/feedback'>;
export type Comment = Feedback['comments'][number];

/** What people decided and said about an attempt: the user's own, or one that the user sees as staff. */
export const feedbackQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: [...feedbackKey, kind, id],
    queryFn: ({ signal }) =>
      ok(api.GET(pathOf(kind, '/api/exams/attempts/{id}/feedback'), { params: { path: { id } }, signal })),
  });

/** What was given for a task and said about it, or what was said about no task. @param action beside a comment */
export function FeedbackAbout({
  feedback,
  taskId,
  action,
}: {
  feedback: Pick<Feedback, 'decisions' | 'grades' | 'comments'> | undefined;
  taskId: number | null;
  action?: (comment: Comment) => ReactNode;
}) {
  const { feedback: words } = useStrings();
  const format = useFormat();
  const decisions = feedback?.decisions.filter(({ task_id }) => task_id === taskId) ?? [];
  const comments = feedback?.comments.filter(({ task_id }) => task_id === taskId) ?? [];
  const grades = feedback?.grades.filter(({ task_id }) => task_id === taskId) ?? [];
  if (decisions.length + grades.length + comments.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {grades.map((grade, index) => (
        <Said
          // biome-ignore lint/suspicious/noArrayIndexKey: the first grade and the second
          key={`grade ${index}`}
          icon={<Scale size={16} aria-hidden="true" />}
          by={grade.graded_by}
          at={grade.graded_at}
        >
          <Given title={words.grade(format.decimal(grade.points_earned))} {...grade} />
        </Said>
      ))}
      {decisions.map((decision) => {
        const [before, after] = [format.decimal(decision.points_before), format.decimal(decision.points_earned)];
        return (
          <Said
            key={`decision ${decision.revision}`}
            icon={<Scale size={16} aria-hidden="true" />}
            by={decision.is_mean ? null : decision.decided_by}
            at={decision.decided_at}
          >
            <Given title={decision.is_mean ? words.mean(after) : words.decided(before, after)} {...decision} />
          </Said>
        );
      })}
      {comments.map((comment) => (
        <Said
          key={comment.id}
          icon={<MessageSquare size={16} aria-hidden="true" />}
          by={comment.author}
          at={comment.created_at}
          action={action?.(comment)}
        >
          {comment.line !== null && <span className="font-medium">{words.line(comment.line)}: </span>}
          {comment.seconds !== null && <span className="font-medium">{words.moment(clockOf(comment.seconds))}: </span>}
          {comment.text}
        </Said>
      ))}
    </ul>
  );
}

/** Points with the items of the rubric and the reason. */
function Given({
  title,
  rubric_items,
  reason,
}: { title: string } & Pick<Feedback['decisions'][number], 'rubric_items' | 'reason'>) {
  const format = useFormat();
  return (
    <>
      <span className="font-medium">{title}</span>
      {rubric_items?.map((item) => (
        <span key={item.id} className="block">
          {signed(format.decimal, item.points)} · {item.text}
        </span>
      ))}
      {reason !== '' && <span className="block">{reason}</span>}
    </>
  );
}

/** Points with a plus or a minus. */
export const signed = (decimal: (value: number) => string, points: number): string =>
  `${points > 0 ? '+' : ''}${decimal(points)}`;

/** Minutes and seconds of a recording. */
const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${`${Math.floor(seconds % 60)}`.padStart(2, '0')}`;

function Said(said: { icon: ReactNode; by: string | null; at: string; action?: ReactNode; children: ReactNode }) {
  const { feedback: words } = useStrings();
  const format = useFormat();
  return (
    <li className="panel flex items-start gap-3 p-3">
      <span className="mt-0.5 shrink-0 text-ink-soft">{said.icon}</span>
      <div className="min-w-0 flex-1">
        <p className="whitespace-pre-line [overflow-wrap:anywhere]">{said.children}</p>
        <p className="text-xs text-ink-soft">{words.by(said.by, format.time(said.at))}</p>
      </div>
      {said.action}
    </li>
  );
}

/** What became of the request for a review. @param action of the staff */
export function ReviewState({ review, action }: { review: NonNullable<Feedback['review']>; action?: ReactNode }) {
  const { feedback: words } = useStrings();
  const format = useFormat();
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{review.text}</p>
      <p className="text-xs text-ink-soft">{format.time(review.requested_at)}</p>
      {review.outcome !== null && review.answered_at !== null && (
        <Said icon={<Scale size={16} aria-hidden="true" />} by={review.answered_by} at={review.answered_at}>
          <span className="block font-medium">{words.outcome[review.outcome]}</span>
          {review.answer}
        </Said>
      )}
      {action}
    </div>
  );
}

/** The student asks for a review, once, and reads the answer. Nothing where the session allows none. */
export function OwnReview({ attempt, feedback }: { attempt: Attempt; feedback: Feedback | undefined }) {
  const { feedback: words } = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  if (!feedback) return null;
  const ask = async (text: string): Promise<void> => {
    const params = { path: { id: attempt.id } };
    await ok(api.POST('/api/exams/attempts/{id}/review-request', { params, body: { text } }));
    await queries.invalidateQueries({ queryKey: feedbackKey });
    toasts.done(words.asked);
  };
  const { review, review_until } = feedback;
  // The service decides by its own clock: a request that comes late is refused with a reason.
  const isOpen = review_until !== null && Date.parse(review_until) > Date.now();
  // After an attempt was reopened, the last review is about what it had been before.
  const { submitted_at } = attempt;
  const isOfBefore = review !== null && submitted_at !== null && review.requested_at < submitted_at;
  const canAsk = isOpen && (review === null || (isOfBefore && review.outcome !== null));
  if (review === null && !canAsk) return null;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{words.review}</h2>
      {review !== null && (
        <>
          {review.outcome === null && <p className="text-sm text-ink-soft">{words.waits}</p>}
          <ReviewState review={review} />
        </>
      )}
      {canAsk && (
        <>
          <p className="text-sm text-ink-soft">{words.reviewHelp(format.time(review_until ?? ''))}</p>
          <div>
            <Button onClick={() => setAsking(true)} aria-haspopup="dialog">
              {words.ask}
            </Button>
          </div>
        </>
      )}
      <TextDialog
        {...{ isOpen: isAsking, title: words.ask, label: words.reason, maxLength: 5000, action: words.ask }}
        onClose={() => setAsking(false)}
        onSend={ask}
      />
    </Card>
  );
}

/** The student of an exam has submitted by mistake, and asks to have the attempt back, once. Nothing where that cannot be asked. */
export function OwnReopening({ attemptId }: { attemptId: number }) {
  const { feedback: words } = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const params = { path: { id: attemptId } };
  const queryKey = [...feedbackKey, 'reopen', attemptId];
  const { data } = useQuery({
    queryKey,
    queryFn: () => ok(api.GET('/api/exams/attempts/{id}/reopen-request', { params })),
  });
  const [isBusy, setBusy] = useState(false);
  if (!data || (!data.can_ask && data.requested_at === null)) return null;
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      queries.setQueryData(queryKey, await ok(api.POST('/api/exams/attempts/{id}/reopen-request', { params })));
      toasts.done(words.askedBack);
    } catch (error) {
      toasts.failed(error);
    }
    setBusy(false);
  };
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{words.mistake}</h2>
      {data.requested_at === null ? (
        <>
          <p className="text-sm text-ink-soft">{words.mistakeHelp}</p>
          <div>
            <Button isBusy={isBusy} onClick={() => void ask()}>
              {words.askBack}
            </Button>
          </div>
        </>
      ) : (
        <p className="text-sm text-ink-soft">{data.is_declined ? words.staysSubmitted : words.asksBack}</p>
      )}
    </Card>
  );
}

/** Of an attempt whose results are shown. */
export const useFeedback = (kind: Kind, id: number, isShown: boolean): Feedback | undefined =>
  useQuery({ ...feedbackQuery(kind, id), enabled: isShown }).data;
