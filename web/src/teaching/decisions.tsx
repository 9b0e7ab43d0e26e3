import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquare, Scale } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { type Feedback, FeedbackAbout, ReviewState, useFeedback } from '../attempts/feedback.tsx';
import { feedbackKey, reviewsQuery } from '../attempts/queries.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { Ago } from '../ui/ago.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { CommentForm } from './comment-form.tsx';
import { DeleteComment } from './delete-comment.tsx';
import type { Attempt } from './queries.ts';

type Result = Attempt['results'][number];

/** What people decided and said about an attempt that has ended. */
export const useDecisions = (attempt: Attempt): Feedback | undefined =>
  useFeedback(attempt.kind, attempt.id, attempt.score !== null || attempt.is_awaiting_grading);

/** A change to what is shown of an attempt, and what follows. */
function useChange() {
  const queries = useQueryClient();
  const toasts = useToasts();
  const renew = () =>
    Promise.all([feedbackKey, ['teaching']].map((queryKey) => queries.invalidateQueries({ queryKey })));
  return async (work: Promise<unknown>, done: string): Promise<void> => {
    try {
      await work;
    } catch (error) {
      // The form shows why, and the page behind it what somebody else has done.
      if (isRefusal(error, 'graded_meanwhile')) await renew();
      throw error;
    }
    await renew();
    toasts.done(done);
  };
}

/** The decisions and comments about a task of an attempt, and the way to further ones. @param result undefined: about no task */
export function Decisions({ attempt, result }: { attempt: Attempt; result?: Result }) {
  const { feedback: words } = useStrings();
  const feedback = useDecisions(attempt);
  const change = useChange();
  const [open, setOpen] = useState<'points' | 'comment'>();
  if (!feedback) return null;
  const close = (): void => setOpen(undefined);
  const subject = result?.title ?? attempt.title;
  const of = <span className="sr-only">: {subject}</span>;
  return (
    <div className="flex flex-col gap-2">
      <FeedbackAbout
        feedback={feedback}
        taskId={result?.task_id ?? null}
        action={(comment) => (
          <DeleteComment
            comment={comment}
            onDelete={async () => {
              const path = { id: attempt.id, comment_id: comment.id };
              await ok(api.DELETE('/api/instructor/attempts/{id}/comments/{comment_id}', { params: { path } }));
            }}
          />
        )}
      />
      {feedback.is_decider && (
        <div className="flex flex-wrap gap-2">
          {result && (
            <Button size="small" onClick={() => setOpen('points')} aria-haspopup="dialog">
              <Scale size={16} aria-hidden="true" /> {words.change}
              {of}
            </Button>
          )}
          <Button size="small" onClick={() => setOpen('comment')} aria-haspopup="dialog">
            <MessageSquare size={16} aria-hidden="true" /> {words.comment}
            {of}
          </Button>
        </div>
      )}
      {result && (
        <Dialog title={words.changeOf(subject)} isOpen={open === 'points'} onOpenChange={close} width="max-w-md">
          <PointsForm attempt={attempt} result={result} feedback={feedback} onDone={close} />
        </Dialog>
      )}
      <Dialog title={words.commentOn(subject)} isOpen={open === 'comment'} onOpenChange={close} width="max-w-md">
        <CommentForm
          hasLines={result !== undefined && result.output.trim() !== ''}
          onSend={async (comment) => {
            const body = { ...comment, ...(result && { task_id: result.task_id }) };
            const params = { path: { id: attempt.id } };
            await change(ok(api.POST('/api/instructor/attempts/{id}/comments', { params, body })), words.commented);
            close();
          }}
        />
      </Dialog>
    </div>
  );
}

function PointsForm({
  attempt: { id, submitted_at },
  result: { task_id, points, points_earned, is_awaiting_grading },
  feedback,
  onDone,
}: {
  attempt: Attempt;
  result: Result;
  feedback: Feedback;
  onDone: () => void;
}) {
  const { feedback: words } = useStrings();
  const format = useFormat();
  const change = useChange();
  // That which the form was opened with: a decision of somebody else meanwhile is not overwritten unseen.
  const [seen] = useState(() => ({
    revision: feedback.decisions.filter((one) => one.task_id === task_id).length,
    ...(submitted_at !== null && { submitted_at }),
  }));
  const sent = useSentForm(
    { points_earned: is_awaiting_grading ? '' : `${points_earned}`, reason: '' },
    async (values) => {
      const params = { path: { id, task_id } };
      const body = { points_earned: Number(values.points_earned), reason: values.reason, ...seen };
      await change(ok(api.PUT('/api/instructor/attempts/{id}/results/{task_id}', { params, body })), words.saved);
      onDone();
    },
  );
  return (
    <SentForm sent={sent} action={words.save}>
      <TextField
        label={words.points(format.decimal(points))}
        type="number"
        required
        min={0}
        max={points}
        step={0.01}
        {...sent.field('points_earned')}
      />
      <TextArea label={words.why} help={words.whyHelp} rows={3} maxLength={2000} required {...sent.field('reason')} />
    </SentForm>
  );
}

/** The requests for a review that the user may answer, the oldest first. */
export function ReviewQueue() {
  const { feedback: words } = useStrings();
  const { data = [] } = useQuery(reviewsQuery);
  if (data.length === 0) return null;
  return (
    <section aria-label={words.queue}>
      <Card>
        <h2 className="font-semibold">{words.queue}</h2>
        <ul className="divide-y">
          {data.map(({ id, attempt_id, username, full_name, class_name, title, text, requested_at }) => (
            <li key={id} className="py-2.5 text-sm [overflow-wrap:anywhere]">
              <p>
                <AttemptLink id={attempt_id} className="font-medium text-accent hover:underline">
                  {full_name || username}
                </AttemptLink>{' '}
                · {[class_name, title].filter(Boolean).join(' · ')} · <Ago time={requested_at} />
              </p>
              <p className="line-clamp-2">{text}</p>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

/** The student's request for a review, and its answer. */
export function RequestedReview({ attempt }: { attempt: Attempt }): ReactNode {
  const { feedback: words } = useStrings();
  const feedback = useDecisions(attempt);
  const [isAnswering, setAnswering] = useState(false);
  if (!feedback?.review) return null;
  const { review, is_decider } = feedback;
  const action =
    is_decider && review.outcome === null ? (
      <div>
        <Button look="primary" onClick={() => setAnswering(true)} aria-haspopup="dialog">
          {words.answer}
        </Button>
      </div>
    ) : undefined;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{review.outcome === null ? words.requested : words.review}</h2>
      <ReviewState review={review} action={action} />
      <Dialog title={words.answer} isOpen={isAnswering} onOpenChange={setAnswering} width="max-w-md">
        <AnswerForm id={review.id} onDone={() => setAnswering(false)} />
      </Dialog>
    </Card>
  );
}

function AnswerForm({ id, onDone }: { id: number; onDone: () => void }) {
  const { feedback: words } = useStrings();
  const change = useChange();
  const given: { outcome: 'granted' | 'rejected'; text: string } = { outcome: 'granted', text: '' };
  const sent = useSentForm(given, async (body) => {
    await change(ok(api.PUT('/api/instructor/review-requests/{id}', { params: { path: { id } }, body })), words.sent);
    onDone();
  });
  const options = (['granted', 'rejected'] as const).map((value) => ({ value, label: words.outcomes[value] }));
  return (
    <SentForm sent={sent} action={words.send}>
      <Select label={words.outcomeLabel} options={options} {...sent.field('outcome')} />
      <TextArea
        label={words.answer}
        help={words.answerHelp}
        rows={4}
        maxLength={5000}
        required
        {...sent.field('text')}
      />
    </SentForm>
  );
}
