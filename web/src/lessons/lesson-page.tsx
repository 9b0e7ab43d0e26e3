import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { isRefusal } from '../api/problem.ts';
import { RunContext } from '../markdown/run-context.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { contentQuery, lessonQuery, useCourseOf } from '../teaching-model/courses.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Page } from '../ui/page.tsx';
import { SplitView } from '../ui/split-view.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { BesideLesson, OtherSandboxQuestion } from './beside-lesson.tsx';
import { CourseLink, CourseTree } from './course-tree.tsx';
import { LessonArticle } from './lesson-article.tsx';
import { LessonBar } from './lesson-bar.tsx';
import { type LessonTerminal, useLessonTerminal } from './use-lesson-terminal.ts';

const millisecondsToSettle = 1000;

/** A lesson: the tree of its course, its text, and a terminal beside it. The terminal stays open from lesson to lesson. */
export function LessonPage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/lessons/$lessonId' }).lessonId);
  const lesson = useQuery({ ...lessonQuery(id), enabled: Number.isSafeInteger(id) });
  const course = useCourseOf(id, lesson.data);
  const terminal = useLessonTerminal(lesson.data?.nearest_template_id);
  const [article, setArticle] = useState<HTMLElement | null>(null);
  usePrefetch(lesson.data?.next_theme_id);
  useFocusOnArrival(id, lesson.data?.id === id);

  const { run } = terminal;
  const runBesideButton = useCallback(
    (commands: string) => {
      const button = document.activeElement;
      const block = button?.closest('.code-block');
      run(commands);
      if (!article || !button || !block) return;
      // The text is narrower beside a terminal, so its lines move. Of a block that is too high, the part with the button is shown.
      const observer = new ResizeObserver(() => {
        for (const one of [block, button]) one.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      });
      observer.observe(article);
      setTimeout(() => observer.disconnect(), millisecondsToSettle);
    },
    [run, article],
  );

  const isGone = isRefusal(lesson.error, 'not_found', 'validation');
  if (isGone || !Number.isSafeInteger(id)) return <NoSuchLesson />;
  if (isRefusal(lesson.error, 'opens_later')) return <ClosedLesson />;
  return (
    <RunContext value={runBesideButton}>
      <div className="flex h-full min-h-0">
        {course && !terminal.isOpen && (
          <nav
            aria-label={t.reader.contents}
            className="hidden w-72 shrink-0 overflow-y-auto border-r bg-surface p-3 xl:block"
          >
            <p className="px-2 pt-1 pb-3 font-semibold">
              <CourseLink course={course} />
            </p>
            <CourseTree key={course.id} course={course} openAt={id} />
          </nav>
        )}
        <div className="min-w-0 flex-1">
          <LessonSplit
            terminal={terminal}
            text={
              <div className="flex h-full min-h-0 flex-col">
                <LessonBar course={course} lessonId={id} terminal={terminal} scroller={article} />
                <div
                  key={id}
                  ref={setArticle}
                  data-scroll-restoration-id="lesson"
                  className="@container relative min-h-0 flex-1 overflow-y-auto scroll-smooth"
                >
                  {lesson.data || lesson.error ? (
                    <LessonArticle {...{ lesson, course, scroller: article }} />
                  ) : (
                    <div className="mx-auto max-w-3xl px-4 py-8 sm:px-8">
                      <Loading rows={8} className="h-6" />
                    </div>
                  )}
                </div>
              </div>
            }
          />
        </div>
      </div>
      <OtherSandboxQuestion terminal={terminal} />
    </RunContext>
  );
}

/** A reader who comes from another lesson starts at the title, with a screen reader as well. */
function useFocusOnArrival(id: number, isLoaded: boolean): void {
  const shown = useRef(id);
  useEffect(() => {
    if (!isLoaded || shown.current === id) return;
    shown.current = id;
    document.querySelector<HTMLElement>('article h1')?.focus({ preventScroll: true });
  }, [id, isLoaded]);
}

/** Prefetches the next lesson. */
function usePrefetch(next: number | null | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (next === null || next === undefined) return;
    void client.prefetchQuery(lessonQuery(next));
    void client.prefetchQuery(contentQuery(next));
  }, [client, next]);
}

function NoSuchLesson() {
  const t = useStrings();
  return (
    <Page title={t.reader.noSuchLesson}>
      <Empty title={t.reader.noSuchLesson} action={<ButtonLink to="/courses">{t.reader.backToCourses}</ButtonLink>}>
        {t.reader.noSuchLessonHelp}
      </Empty>
    </Page>
  );
}

/** The page of the course says why. */
function ClosedLesson() {
  const t = useStrings();
  return (
    <Page title={t.reader.closed}>
      <Empty title={t.reader.closed} action={<ButtonLink to="/courses">{t.reader.backToCourses}</ButtonLink>}>
        {t.refusals.opens_later}
      </Empty>
    </Page>
  );
}

/** The text, and the terminal beside or below it while it is open. */
function LessonSplit({ text, terminal }: { text: ReactNode; terminal: LessonTerminal }) {
  const t = useStrings();
  return (
    <SplitView
      name="lesson"
      label={t.common.moveBorder}
      first={text}
      {...(terminal.isOpen ? { second: <BesideLesson terminal={terminal} /> } : {})}
    />
  );
}
