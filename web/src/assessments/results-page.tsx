import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ArrowRight, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Kind } from '../api/kinds.ts';
import { useUser } from '../api/use-session.ts';
import type { Attempt } from '../attempts/active.ts';
import { attemptQuery } from '../attempts/queries.ts';
import { ResultsView } from '../attempts/results-view.tsx';
import { isOver } from '../attempts/status.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Assessment, assessmentQuery, pages } from '../teaching-model/assessments.ts';
import {
  type Course,
  type CourseAssessment,
  courseAssessmentsQuery,
  courseQuery,
  lessonsOf,
} from '../teaching-model/courses.ts';
import { type ExamSession, sessionsQuery, sessionToStart } from '../teaching-model/exam-sessions.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Crumb } from '../ui/crumbs.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { Above } from './assessment-page.tsx';

export const ExamResultsPage = () => (
  <ResultsPage kind="exam" id={Number(useParams({ from: '/exams/results/$attemptId' }).attemptId)} />
);
export const LaboratoryResultsPage = () => (
  <ResultsPage kind="laboratory" id={Number(useParams({ from: '/laboratories/results/$attemptId' }).attemptId)} />
);

/** The results of an attempt. */
function ResultsPage({ kind, id }: { kind: Kind; id: number }) {
  return (
    <ResultsOfAttempt
      key={id}
      kind={kind}
      id={id}
      crumbs={(attempt) => (
        <Above kind={kind}>
          {attempt?.assessment_id != null && (
            <Crumb to={pages[kind].one} params={{ assessmentId: `${attempt.assessment_id}` }}>
              {attempt.title}
            </Crumb>
          )}
        </Above>
      )}
      actions={(attempt) => <ToAssessment kind={kind} attempt={attempt} />}
    />
  );
}

/** The link to the exam or the laboratory, to resume or start again. */
function ToAssessment({ kind, attempt }: { kind: Kind; attempt: Attempt }) {
  const t = useStrings();
  const user = useUser();
  const { assessment_id, user_id } = attempt;
  const isOwn = user_id === user.id;
  const assessment = useQuery({
    ...assessmentQuery(kind, assessment_id ?? 0),
    enabled: isOwn && assessment_id !== null,
  });
  const isEndedExam = kind === 'exam' && isOver(attempt);
  const sessions = useQuery({
    ...sessionsQuery({ exam_id: assessment_id ?? 0 }),
    enabled: isEndedExam && isOwn && assessment_id !== null,
  });
  // It may have been retired since, and instructors view other users' attempts.
  if (!isOwn || (isOver(attempt) && !assessment.data?.is_active)) return null;
  const obstacle = isEndedExam
    ? obstacleOf(t, attempt, sessionToStart(sessions.data ?? []), assessment.data)
    : undefined;
  const mayStart = obstacle === undefined && !(isEndedExam && sessions.isPending);
  const Sign = isOver(attempt) ? RotateCcw : ArrowRight;
  return (
    <>
      {isOver(attempt) && assessment.data && (
        <ContinueLink kind={kind} id={assessment.data.id} parent={assessment.data} />
      )}
      {mayStart && (
        <ButtonLink to={pages[kind].one} params={{ assessmentId: `${assessment_id}` }}>
          <Sign size={16} aria-hidden="true" /> {isOver(attempt) ? t.attempts.again : t.attempts.goOn}
        </ButtonLink>
      )}
      {obstacle !== undefined && <p className="basis-full text-sm text-ink-soft">{obstacle}</p>}
    </>
  );
}

/** Why an exam is not started again. */
function obstacleOf(
  { exams, examSessions }: Strings,
  { passed }: Attempt,
  session: ExamSession | undefined,
  exam: Assessment | undefined,
): string | undefined {
  if (passed) return exams.passedAlready;
  if (session?.attempts_left === 0) return examSessions.noneLeft;
  if (session?.state === 'closed') return examSessions.isClosed;
  return !session && exam?.is_session_only ? exams.onlyInSessions : undefined;
}

/** The results page of one attempt. Without results yet, it links to the work. */
function ResultsOfAttempt({
  kind,
  id,
  crumbs,
  actions,
}: {
  kind: Kind;
  id: number;
  crumbs: (attempt: Attempt | undefined) => ReactNode;
  /** The actions available to its user. */
  actions: (attempt: Attempt) => ReactNode;
}) {
  const t = useStrings();
  const attempt = useQuery({
    ...attemptQuery(kind, id),
    refetchInterval: ({ state: { data } }) => (data && !isOver(data) ? 2000 : false),
  });
  return (
    <Page title={attempt.data ? t.attempts.results(attempt.data.title) : t.attempts.open} crumbs={crumbs(attempt.data)}>
      <Fetched query={attempt} skeleton={<Loading rows={4} className="h-24" />}>
        {(data) => {
          if (isOver(data)) return <ResultsView attempt={data} actions={actions(data)} />;
          return <Empty title={t.attempts.notOver} action={actions(data)} />;
        }}
      </Fetched>
    </Page>
  );
}

type Parent = { course_id?: number | null; section_id?: number | null };

/** The way on in the course of an exam or a laboratory after its result: the next lesson, or else what is not passed yet. */
function ContinueLink({ kind, id, parent }: { kind: Kind; id: number; parent: Parent }) {
  const t = useStrings();
  const { course_id, section_id } = parent;
  const query = section_id ? { section_id } : { course_id: course_id ?? 0 };
  const isOfCourse = Boolean(section_id || course_id);
  const { data: assessments } = useQuery({ ...courseAssessmentsQuery(query), enabled: isOfCourse });
  // It is one of them, so the list names its course.
  const courseId = assessments?.[0]?.course_id;
  const { data: course } = useQuery({ ...courseQuery(courseId ?? 0), enabled: courseId !== undefined });
  if (!assessments || !course) return null;
  const next = nextOf(course, assessments, { kind, id, section_id });
  if (!next) return null;
  const text = (
    <>
      {t.lessons.continueTo(next.title)} <ArrowRight size={16} aria-hidden="true" />
    </>
  );
  if (next.kind === 'lesson')
    return (
      <ButtonLink to="/lessons/$lessonId" params={{ lessonId: `${next.id}` }} look="primary">
        {text}
      </ButtonLink>
    );
  return (
    <ButtonLink
      to={next.kind === 'exam' ? '/exams/$assessmentId' : '/laboratories/$assessmentId'}
      params={{ assessmentId: `${next.id}` }}
      look="primary"
    >
      {text}
    </ButtonLink>
  );
}

type Next = { kind: 'lesson' | Kind; id: number; title: string };

/** The first lesson that is not complete: after the section of a laboratory, otherwise of the whole course. */
function nextOf(
  course: Course,
  assessments: readonly CourseAssessment[],
  from: { kind: Kind; id: number; section_id?: number | null | undefined },
): Next | undefined {
  const place = course.sections.findIndex(({ id }) => id === from.section_id);
  const after = course.sections.slice(place + 1).flatMap(({ themes }) => themes);
  const lesson = [...after, ...lessonsOf(course)].find(({ is_completed }) => !is_completed);
  if (lesson) return { kind: 'lesson', id: lesson.id, title: lesson.title };
  return assessments.find(({ kind, id, is_passed }) => !is_passed && !(kind === from.kind && id === from.id));
}
