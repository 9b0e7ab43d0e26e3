import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { activeQuery } from '../attempts/active.ts';
import { lazyPart } from '../routing/lazy-part.ts';
import { remember, remembered } from '../ui/remember.ts';

const ExamStrip = lazy(() => lazyPart(async () => (await import('./exam-strip.tsx')).ExamStrip));

/** Milliseconds between two polls: the time may run out, or the exam may be submitted in another window. */
const interval = 30_000;

/** Keeps the height of the strip. */
const room = <div aria-hidden="true" className="min-h-12 shrink-0 border-b bg-warn-soft" />;

/**
 * The clock of the user's running exam on every page but its own, also where the page was opened by its address on another computer. Until the
 * service has answered, there is room for the strip if this browser remembers an exam. Without one the service is asked once a visit.
 */
export function RunningExam({ userId }: { userId: number }) {
  const name = `exam-runs-${userId}`;
  const { pathname } = useLocation();
  const { data } = useQuery({
    ...activeQuery('exam'),
    enabled: ({ state }) => state.data === undefined || state.data.length > 0,
    refetchInterval: interval,
  });
  const exam = data?.[0];
  useEffect(() => {
    if (data) remember(name, data.length > 0 ? 'true' : null);
  }, [data, name]);
  const isUnknown = data === undefined && remembered(name) !== null && !pathname.startsWith('/exams/');
  if (isUnknown) return room;
  if (!exam || exam.assessment_id === null || pathname === `/exams/${exam.assessment_id}`) return null;
  return (
    <Suspense fallback={room}>
      <ExamStrip exam={exam} assessmentId={exam.assessment_id} />
    </Suspense>
  );
}
