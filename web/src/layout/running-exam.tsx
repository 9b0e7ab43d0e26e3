import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { activeQuery } from '../attempts/active.ts';
import { isRunning } from '../attempts/status.ts';
import { lazyPart } from '../routing/lazy-part.ts';
import { remember, remembered } from '../ui/remember.ts';

const ExamStrip = lazy(() => lazyPart(async () => (await import('./exam-strip.tsx')).ExamStrip));

/** Milliseconds between two polls: the time may run out, or the exam may be submitted in another window. */
const interval = 30_000;

/** Keeps the height of the strip. */
const room = <div aria-hidden="true" className="min-h-12 shrink-0 border-b bg-warn-soft" />;

/**
 * The user's running exam, also where the page was opened by its address on another computer. This browser remembers it with its assessment
 * until the service has answered. Without one the service is asked once a visit.
 */
export function useRunningExam(userId: number | undefined) {
  const name = `exam-runs-${userId}`;
  const { pathname } = useLocation();
  const { data, isError } = useQuery({
    ...activeQuery('exam'),
    enabled: ({ state }) => userId !== undefined && (state.data === undefined || state.data.length > 0),
    refetchInterval: interval,
  });
  const exam = data?.[0];
  useEffect(() => {
    const [first] = data ?? [];
    if (data && userId !== undefined)
      remember(name, first ? (isRunning(first) ? `${first.assessment_id}` : first.status) : null);
  }, [data, name, userId]);
  const known = remembered(name);
  const isUnknown = data === undefined && known !== null && !isError;
  const isHere = pathname === `/exams/${isUnknown ? known : exam?.assessment_id}`;
  return {
    exam,
    /** The service has not answered yet. */
    isUnknown,
    isHere,
    /** It is at work on its own page, whose frame has nothing else. */
    isAtWork: isHere && (isUnknown || (exam !== undefined && isRunning(exam))),
  };
}

/** The clock of the user's running exam on every page but its own. */
export function RunningExam({ running: { exam, isUnknown, isHere } }: { running: ReturnType<typeof useRunningExam> }) {
  const { pathname } = useLocation();
  if (isUnknown && !pathname.startsWith('/exams/')) return room;
  if (!exam || exam.assessment_id === null || isHere) return null;
  return (
    <Suspense fallback={room}>
      <ExamStrip exam={exam} assessmentId={exam.assessment_id} />
    </Suspense>
  );
}
