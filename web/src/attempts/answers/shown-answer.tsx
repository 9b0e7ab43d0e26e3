import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import type { ShownProps } from './answer-kind.ts';
import { answerKinds } from './kinds.ts';
import { answerFilePath, answersQuery } from './queries.ts';

/**
 * What was answered to a task, for the student and the staff.
 * @param children what is shown of a check instead
 */
export function ShownAnswer({
  kind,
  attemptId,
  taskId,
  children,
}: {
  kind: Kind;
  attemptId: number;
  taskId: number;
  children?: ReactNode;
}) {
  const { data, isPending } = useQuery(answersQuery(kind, attemptId));
  const answer = data?.find(({ task_id }) => task_id === taskId);
  if (!answer || !answerKinds[answer.kind]) return isPending ? null : children;
  return <GivenAnswer answer={answer} filePath={answerFilePath(kind, attemptId, taskId)} />;
}

/** An answer, with the right one for those who may see it. */
export function GivenAnswer({ answer, filePath }: ShownProps) {
  const { answers: words } = useStrings();
  const Shown = answerKinds[answer.kind]?.Shown;
  if (!Shown) return null;
  const isEmpty = !answer.text?.trim() && !answer.file && (answer.choice_ids ?? []).length === 0;
  return (
    <section aria-label={words.given} className="flex flex-col gap-1">
      {isEmpty && <p className="text-sm text-ink-soft">{words.none}</p>}
      {(!isEmpty || answer.right_answer) && <Shown answer={answer} filePath={filePath} />}
    </section>
  );
}
