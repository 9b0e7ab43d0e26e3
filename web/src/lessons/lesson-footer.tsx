import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, Check, CircleCheckBig, FlaskConical } from 'lucide-react';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import {
  type Course,
  courseAssessmentsQuery,
  courseQuery,
  type Lesson,
  lessonQuery,
  lessonsOf,
  summariesKey,
} from '../teaching-model/courses.ts';
import { openingsQuery, useClosed } from '../teaching-model/openings.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { NextSteps } from './next-steps.tsx';

/** The completion button, the laboratory after the last lesson of a section, what comes after the last one of the course, and the neighbours. */
export function LessonFooter({
  lesson,
  course,
  hasText,
}: {
  lesson: Lesson;
  course: Course | undefined;
  /** Nobody can have read a lesson whose file is missing. */
  hasText: boolean;
}) {
  const t = useStrings();
  const completion = useCompletion();
  const section = course?.sections.find(({ id }) => id === lesson.section_id);
  const isLast = section?.themes.at(-1)?.id === lesson.id;
  const { previous_theme_id: previous, next_theme_id: next } = lesson;
  useArrowKeys(previous, next);
  const titleOf = (id: number): string | undefined =>
    course && lessonsOf(course).find((other) => other.id === id)?.title;
  const mark = (isCompleted: boolean) => completion.mutate({ lesson, isCompleted });
  return (
    <footer className="mt-12 flex flex-col gap-6 border-t pt-6">
      <div className="flex min-h-10 flex-wrap items-center gap-3">
        {lesson.is_completed ? (
          <>
            <p role="status" className="inline-flex items-center gap-2 font-medium text-good">
              <CircleCheckBig size={20} aria-hidden="true" /> {t.reader.done}
            </p>
            <Button look="quiet" size="small" isBusy={completion.isPending} onClick={() => mark(false)}>
              {t.reader.takeBack}
            </Button>
          </>
        ) : !hasText ? (
          <p className="text-sm text-ink-soft">{t.reader.noTextToComplete}</p>
        ) : (
          <Button look="primary" isBusy={completion.isPending} onClick={() => mark(true)}>
            <Check size={16} aria-hidden="true" /> {t.reader.markDone}
          </Button>
        )}
      </div>
      {next !== null ? isLast && <Practice lesson={lesson} /> : course && <NextSteps course={course} lesson={lesson} />}
      <nav aria-label={t.reader.neighbours} className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {previous !== null && (
          <Neighbour id={previous} title={titleOf(previous)} label={t.reader.previousLesson} side="left" />
        )}
        {next !== null && <Neighbour id={next} title={titleOf(next)} label={t.reader.nextLesson} side="right" />}
      </nav>
    </footer>
  );
}

function Neighbour({
  id,
  title,
  label,
  side,
}: {
  id: number;
  title: string | undefined;
  label: string;
  side: 'left' | 'right';
}) {
  const isNext = side === 'right';
  const Arrow = isNext ? ArrowRight : ArrowLeft;
  return (
    <Link
      to="/lessons/$lessonId"
      params={{ lessonId: String(id) }}
      aria-keyshortcuts={isNext ? 'Alt+Shift+ArrowRight' : 'Alt+Shift+ArrowLeft'}
      className={`flex items-center gap-3 panel p-4 hover:bg-accent-soft ${isNext ? 'flex-row-reverse text-right sm:col-start-2' : ''}`}
    >
      <Arrow size={18} aria-hidden="true" className="shrink-0 text-accent" />
      <span className="min-w-0 flex-1">
        <span className="block text-xs text-ink-soft">{label}</span>
        <span className="block font-medium">{title}</span>
      </span>
    </Link>
  );
}

function Practice({ lesson: { course_id, section_id } }: { lesson: Lesson }) {
  const t = useStrings();
  const { data: assessments = [] } = useQuery(courseAssessmentsQuery({ course_id }));
  const laboratory = assessments.find((assessment) => assessment.section_id === section_id);
  const closedOf = useClosed();
  if (!laboratory || closedOf('laboratory', laboratory.id)) return null;
  return (
    <ButtonLink
      to="/laboratories/$assessmentId"
      params={{ assessmentId: String(laboratory.id) }}
      look="plain"
      className="self-start py-2 text-left whitespace-normal!"
    >
      <FlaskConical size={18} aria-hidden="true" className="shrink-0 text-accent" />
      {t.reader.laboratory(laboratory.title)}
    </ButtonLink>
  );
}

/** Alt+Shift with an arrow goes to a neighbour. Neither browsers nor the terminal use these keys. */
function useArrowKeys(previous: number | null, next: number | null): void {
  useEffect(() => {
    const go = (event: KeyboardEvent): void => {
      if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return;
      const id = event.key === 'ArrowRight' ? next : event.key === 'ArrowLeft' ? previous : null;
      if (id === null || (event.target instanceof Element && event.target.closest('[data-terminal]'))) return;
      event.preventDefault();
      navigate({ to: '/lessons/$lessonId', params: { lessonId: String(id) } });
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, [previous, next]);
}

type Completion = { lesson: Lesson; isCompleted: boolean };

/** Marks a lesson complete or incomplete. The page shows the change when the service has confirmed it. */
function useCompletion() {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async ({ lesson, isCompleted }: Completion): Promise<void> => {
      const options = { params: { path: { theme_id: lesson.id } } };
      const path = '/api/lessons/themes/{theme_id}/complete';
      await ok(isCompleted ? api.POST(path, options) : api.DELETE(path, options));
    },
    onSuccess: async (_done, { lesson: { id, course_id }, isCompleted }) => {
      const [ofCourse, ofLesson] = [courseQuery(course_id).queryKey, lessonQuery(id).queryKey];
      // A pending refetch would overwrite the tick, so it is cancelled. The initial fetch is not, because its data is needed.
      if (client.getQueryData(ofCourse)) await client.cancelQueries({ queryKey: ofCourse });
      if (client.getQueryData(ofLesson)) await client.cancelQueries({ queryKey: ofLesson });
      client.setQueryData(ofCourse, (course) => course && tick(course, id, isCompleted));
      client.setQueryData(
        ofLesson,
        (lesson): Lesson | undefined =>
          lesson && {
            ...lesson,
            is_completed: isCompleted,
            completed_at: isCompleted ? new Date().toISOString() : null,
          },
      );
    },
    onError: (error) => toasts.failed(error),
    onSettled: async (_data, _error, { lesson: { id, course_id } }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: courseQuery(course_id).queryKey }),
        client.invalidateQueries({ queryKey: lessonQuery(id).queryKey }),
        // Fetched now, so that the list of courses has the new counts when the reader returns to it.
        client.invalidateQueries({ queryKey: summariesKey, refetchType: 'all' }),
        client.invalidateQueries({ queryKey: openingsQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['dashboard'] }),
      ]);
    },
  });
}

function tick(course: Course, id: number, isCompleted: boolean): Course {
  if (!lessonsOf(course).some((lesson) => lesson.id === id && lesson.is_completed !== isCompleted)) return course;
  const completed_themes = course.progress.completed_themes + (isCompleted ? 1 : -1);
  const { total_themes } = course.progress;
  return {
    ...course,
    progress: { completed_themes, total_themes, percent: Math.round((1000 * completed_themes) / total_themes) / 10 },
    sections: course.sections.map((section) => ({
      ...section,
      themes: section.themes.map((lesson) => (lesson.id === id ? { ...lesson, is_completed: isCompleted } : lesson)),
    })),
  };
}
