import { useQuery } from '@tanstack/react-query';
import { ArrowRight, BookOpen, FlaskConical, GraduationCap, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { type CourseSummary, nextCourseQuery } from '../lessons/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { ProgressBar } from '../ui/card.tsx';
import { Empty, Fetched, Skeleton } from '../ui/states.tsx';
import { activeExamQuery, activeLaboratoriesQuery } from './queries.ts';
import { TimeLeft } from './time-left.tsx';

/** The next steps of the user: first an attempt with a running clock, then the lessons. */
export function NextSteps() {
  const { next: words } = useStrings().dashboard;
  const exam = useQuery(activeExamQuery);
  const laboratories = useQuery(activeLaboratoriesQuery);
  const course = useQuery(nextCourseQuery);
  return (
    <section aria-labelledby="next" className="flex flex-col gap-3">
      <h2 id="next" className="text-lg font-semibold">
        {words.title}
      </h2>
      {exam.data && exam.data.exam_id !== null && (
        <Step
          icon={GraduationCap}
          isUrgent
          label={words.exam}
          title={exam.data.title}
          action={
            <ButtonLink to="/exams/$subjectId" params={{ subjectId: String(exam.data.exam_id) }}>
              {words.goOnExam}
            </ButtonLink>
          }
        >
          {exam.data.status === 'queued' ? words.queued : <TimeLeft until={exam.data.expires_at} />}
        </Step>
      )}
      {laboratories.data?.map(
        ({ id, laboratory_id, title, status, expires_at }) =>
          laboratory_id !== null && (
            <Step
              key={id}
              icon={FlaskConical}
              label={words.laboratory}
              title={title}
              action={
                <ButtonLink to="/laboratories/$subjectId" params={{ subjectId: String(laboratory_id) }}>
                  {words.goOnLaboratory}
                </ButtonLink>
              }
            >
              {status === 'queued' ? words.queued : <TimeLeft until={expires_at} />}
            </Step>
          ),
      )}
      <Fetched query={course} skeleton={<Skeleton className="h-24" />}>
        {(data) => <Lessons course={data} />}
      </Fetched>
    </section>
  );
}

/** The next lesson of a course. A finished course is given where all courses are finished. */
function Lessons({ course }: { course: CourseSummary | null }) {
  const t = useStrings();
  const words = t.dashboard.next;
  const theme = course?.next_theme;
  if (!course || !theme) return <Empty title={words.nothing}>{words.nothingHelp}</Empty>;
  const { completed_themes, total_themes, percent } = course.progress;
  if (completed_themes === total_themes) {
    return (
      <Empty title={words.allDone} action={<ButtonLink to="/exams">{words.toExams}</ButtonLink>}>
        {words.allDoneHelp}
      </Empty>
    );
  }
  return (
    <Step
      icon={BookOpen}
      label={completed_themes > 0 ? words.goOn : words.begin}
      title={theme.title}
      action={
        <ButtonLink to="/lessons/$themeId" params={{ themeId: String(theme.id) }}>
          {words.read} <ArrowRight size={16} aria-hidden="true" />
        </ButtonLink>
      }
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {words.inCourse(course.name)} · {t.lessons.progress(completed_themes, total_themes)}
        <span className="w-32">
          <ProgressBar value={percent} label={t.lessons.progressLabel(course.name)} />
        </span>
      </span>
    </Step>
  );
}

function Step({
  icon: Icon,
  label,
  title,
  isUrgent = false,
  action,
  children,
}: {
  icon: LucideIcon;
  label: string;
  title: string;
  isUrgent?: boolean;
  action: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className={`flex flex-wrap items-center gap-4 rounded-lg border p-4 sm:p-5 ${isUrgent ? 'border-warn bg-warn-soft' : 'bg-surface'}`}
    >
      <Icon size={28} aria-hidden="true" className={`shrink-0 ${isUrgent ? 'text-warn' : 'text-accent'}`} />
      <div className="min-w-0 flex-1 basis-60">
        <p className={`text-sm ${isUrgent ? 'text-ink' : 'text-ink-soft'}`}>{label}</p>
        <h3 className="font-semibold">{title}</h3>
        <div className={`mt-1 text-sm ${isUrgent ? 'text-ink' : 'text-ink-soft'}`}>{children}</div>
      </div>
      {action}
    </div>
  );
}
