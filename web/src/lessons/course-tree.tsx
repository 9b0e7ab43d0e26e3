import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Circle, CircleCheckBig, FlaskConical, GraduationCap, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import {
  type Course,
  type CourseAssessment,
  courseAssessmentsQuery,
  type LessonInTree,
  type Section,
} from '../teaching-model/courses.ts';
import { type Closed, type ClosedOf, OpensLater, useClosed } from '../teaching-model/openings.tsx';
import { Badge } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';

const row = 'flex min-h-9 gap-2.5 rounded-md px-2 py-2 text-sm leading-5';

/** The sections of a course with their lessons and laboratories, then its exams, each with its tick. `openAt` is the lesson whose section is open initially, or all are. */
export function CourseTree({
  course,
  openAt,
  onGo,
}: {
  course: Course;
  openAt: number | 'all' | undefined;
  onGo?: (() => void) | undefined;
}) {
  const { data: assessments = [] } = useQuery(courseAssessmentsQuery({ course_id: course.id }));
  const closedOf = useClosed();
  const exams = assessments.filter(({ kind }) => kind === 'exam');
  return (
    <>
      <AssessmentProgress assessments={assessments} />
      <ul className="flex flex-col gap-1">
        {course.sections.map((section) => (
          <li key={section.id}>
            <SectionTree
              section={section}
              laboratory={assessments.find(({ section_id }) => section_id === section.id)}
              closedOf={closedOf}
              isOpenAtFirst={openAt === 'all' || section.themes.some(({ id }) => id === openAt)}
              onGo={onGo}
            />
          </li>
        ))}
        {exams.map((exam) => (
          <li key={exam.id}>
            <AssessmentLink assessment={exam} closed={closedOf('exam', exam.id)} onGo={onGo} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** How many of the laboratories and exams of a course are passed. Its lessons are counted above it. */
function AssessmentProgress({ assessments }: { assessments: readonly CourseAssessment[] }) {
  const t = useStrings();
  const counts = (['laboratory', 'exam'] as const).flatMap((kind) => {
    const all = assessments.filter((assessment) => assessment.kind === kind);
    return all.length === 0
      ? []
      : [t.reader.passedOf[kind](all.filter(({ is_passed }) => is_passed).length, all.length)];
  });
  if (counts.length === 0) return null;
  return <p className="px-2 pb-2 text-xs text-ink-soft tabular-nums">{counts.join(' · ')}</p>;
}

function SectionTree({
  section,
  laboratory,
  closedOf,
  isOpenAtFirst,
  onGo,
}: {
  section: Section;
  laboratory: CourseAssessment | undefined;
  closedOf: ClosedOf;
  isOpenAtFirst: boolean;
  onGo: (() => void) | undefined;
}) {
  const t = useStrings();
  const closed = closedOf('section', section.id);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  // The reader moved to this section.
  useEffect(() => {
    if (isOpenAtFirst) setOpen(true);
  }, [isOpenAtFirst]);
  const done = section.themes.filter(({ is_completed }) => is_completed).length;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes(row, 'list-none font-medium hover:bg-sunken')}>
        <ChevronRight
          size={16}
          aria-hidden="true"
          className={classes('mt-0.5 shrink-0 text-ink-soft transition-transform', isOpen && 'rotate-90')}
        />
        <span className="min-w-0 flex-1">{section.name}</span>
        {closed && <Lock size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-soft" />}
        {!section.is_active && <Badge tone="warn">{t.lessons.inactive}</Badge>}
        <span className="text-xs leading-5 font-normal whitespace-nowrap text-ink-soft tabular-nums">
          <span aria-hidden="true">
            {done}/{section.themes.length}
          </span>
          <span className="sr-only">{t.lessons.progress(done, section.themes.length)}</span>
        </span>
      </summary>
      {isOpen && (
        <ul className="mt-0.5 mb-2 ml-4 border-l pl-2">
          {closed && (
            <li className={note}>
              <OpensLater closed={closed} />
            </li>
          )}
          {section.themes.length === 0 && <li className={classes(row, 'text-ink-soft')}>{t.reader.emptySection}</li>}
          {section.themes.map((lesson) => (
            <li key={lesson.id}>
              <LessonRow lesson={lesson} isClosed={closed !== undefined} onGo={onGo} />
            </li>
          ))}
          {laboratory && (
            <li>
              <AssessmentLink
                assessment={laboratory}
                closed={closedOf('laboratory', laboratory.id)}
                isInClosed={closed !== undefined}
                onGo={onGo}
              />
            </li>
          )}
        </ul>
      )}
    </details>
  );
}

const note = 'px-2 py-1.5';

const link = classes(
  row,
  'text-ink-soft hover:bg-sunken hover:text-ink',
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink',
);

function LessonRow({
  lesson,
  isClosed,
  onGo,
}: {
  lesson: LessonInTree;
  isClosed: boolean;
  onGo: (() => void) | undefined;
}) {
  const t = useStrings();
  const Tick = lesson.is_completed ? CircleCheckBig : isClosed ? Lock : Circle;
  const shown = (
    <>
      <Tick
        size={16}
        aria-hidden="true"
        className={classes('mt-0.5 shrink-0', lesson.is_completed ? 'text-good' : 'text-line-strong')}
      />
      <span className="min-w-0 flex-1">
        {lesson.title} <span className="sr-only">({lesson.is_completed ? t.reader.done : t.reader.notDone})</span>
      </span>
      {lesson.duration_minutes > 0 && (
        <span className="text-xs leading-5 whitespace-nowrap text-ink-soft">
          {t.reader.readingTime(lesson.duration_minutes)}
        </span>
      )}
    </>
  );
  if (isClosed) return <ClosedRow>{shown}</ClosedRow>;
  return (
    <Link to="/lessons/$lessonId" params={{ lessonId: String(lesson.id) }} onClick={onGo} className={link}>
      {shown}
    </Link>
  );
}

/** Nothing leads to what is closed. */
const ClosedRow = ({ children }: { children: ReactNode }) => (
  <span className={classes(row, 'text-ink-soft')}>{children}</span>
);

/** A laboratory or an exam of the course. */
function AssessmentLink({
  assessment,
  closed,
  isInClosed = false,
  onGo,
}: {
  assessment: CourseAssessment;
  closed: Closed | undefined;
  /** Its section says why. */
  isInClosed?: boolean;
  onGo: (() => void) | undefined;
}) {
  const t = useStrings();
  const { kind, id, title, is_passed } = assessment;
  const Sign = is_passed ? CircleCheckBig : isInClosed ? Lock : kind === 'exam' ? GraduationCap : FlaskConical;
  const shown = (
    <>
      <Sign
        size={16}
        aria-hidden="true"
        className={classes('mt-0.5 shrink-0', is_passed ? 'text-good' : closed ? 'text-line-strong' : 'text-accent')}
      />
      <span className="min-w-0 flex-1">
        {t.reader[kind](title)} <span className="sr-only">({is_passed ? t.reader.passed : t.reader.notPassed})</span>
      </span>
    </>
  );
  if (closed)
    return (
      <>
        <ClosedRow>{shown}</ClosedRow>
        {!isInClosed && (
          <div className={note}>
            <OpensLater closed={closed} />
          </div>
        )}
      </>
    );
  return (
    <Link
      to={kind === 'exam' ? '/exams/$assessmentId' : '/laboratories/$assessmentId'}
      params={{ assessmentId: String(id) }}
      onClick={onGo}
      className={link}
    >
      {shown}
    </Link>
  );
}

/** The title of a course, which leads to its page. */
export const CourseLink = ({ course: { id, name } }: { course: Course }) => (
  <Link
    to="/courses/$courseId"
    params={{ courseId: `${id}` }}
    className="inline-flex min-h-6 items-center hover:text-ink hover:underline"
  >
    {name}
  </Link>
);
