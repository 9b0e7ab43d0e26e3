import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { isRefusal } from '../api/problem.ts';
import type { Heading } from '../markdown/parsing/tree-plugins.ts';
import { useParsedText } from '../markdown/use-parsed-text.ts';
import { neededPart } from '../routing/needed-part.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type Course, contentQuery, type Lesson } from '../teaching-model/courses.ts';
import { Badge } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { LessonFooter } from './lesson-footer.tsx';
import { FoldedOutline, Outline } from './outline.tsx';
import { ReadingPlace } from './reading-place.tsx';

const LessonText = lazy(() => neededPart(async () => (await import('../markdown/lesson-text.tsx')).LessonText));
const none: Heading[] = [];
const skeleton = <Loading rows={8} className="h-6" />;

/** The text of a lesson between its title and the links to the next steps. Its headings are beside it where there is room. */
export function LessonArticle({
  lesson: { data: lesson, error, refetch },
  course,
  scroller,
}: {
  lesson: UseQueryResult<Lesson>;
  course: Course | undefined;
  scroller: HTMLElement | null;
}) {
  if (!lesson) return error && <ProblemNote error={error} retry={() => void refetch()} />;
  return <LoadedLesson key={lesson.id} {...{ lesson, course, scroller }} />;
}

function LoadedLesson({
  lesson,
  course,
  scroller,
}: {
  lesson: Lesson;
  course: Course | undefined;
  scroller: HTMLElement | null;
}) {
  const t = useStrings();
  const { id, title, markdown_file_path: path } = lesson;
  const content = useQuery(contentQuery(id));
  const text = useParsedText(content.data, title);
  const [shown, setShown] = useState<Heading[]>();
  const headings = shown ?? none;
  const source = useMemo(() => ({ lessonId: id, path }), [id, path]);
  useTitle(title);
  // A URL with a heading's id was opened before the heading existed.
  useEffect(() => {
    const name = location.hash.slice(1);
    const isNamed = ({ id: heading }: Heading): boolean => heading === name || encodeURIComponent(heading) === name;
    document.getElementById(headings.find(isNamed)?.id ?? '')?.scrollIntoView();
  }, [headings]);
  return (
    <div className="mx-auto flex w-full max-w-3xl justify-center gap-10 px-4 py-6 sm:px-8 @4xl:max-w-6xl">
      <article className="min-w-0 flex-1">
        <header className="mb-6">
          <h1 tabIndex={-1} className="text-3xl font-semibold tracking-tight outline-none">
            {title}
          </h1>
          <LessonFacts lesson={lesson} />
        </header>
        {headings.length > 1 && (
          <div className="contents @4xl:hidden">
            <FoldedOutline headings={headings} scroller={scroller} />
          </div>
        )}
        <ReadingPlace lessonId={id} scroller={scroller} isShown={shown !== undefined} />
        <Suspense fallback={skeleton}>
          <Fetched query={content} skeleton={skeleton}>
            {(markdown) =>
              markdown.trim() === '' ? (
                <Empty title={t.reader.emptyText} />
              ) : text ? (
                <LessonText {...{ text, source, onShown: setShown }} />
              ) : (
                skeleton
              )
            }
          </Fetched>
          {/* Below the text. Rendered earlier, the footer would move away from under the pointer. */}
          {(text || content.isError) && (
            <LessonFooter
              lesson={lesson}
              course={course}
              hasText={!isRefusal(content.error, 'lesson_file_not_found')}
            />
          )}
        </Suspense>
      </article>
      {headings.length > 1 && (
        <div className="hidden w-48 shrink-0 @4xl:block @5xl:w-56">
          <Outline headings={headings} scroller={scroller} />
        </div>
      )}
    </div>
  );
}

function LessonFacts({ lesson }: { lesson: Lesson }) {
  const t = useStrings();
  const format = useFormat();
  if (lesson.duration_minutes <= 0 && !lesson.is_completed) return null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-3 text-sm text-ink-soft">
      {lesson.duration_minutes > 0 && (
        <span className="inline-flex items-center gap-1.5">
          <Clock size={15} aria-hidden="true" /> {t.reader.readingTime(lesson.duration_minutes)}
        </span>
      )}
      {lesson.is_completed && lesson.completed_at && (
        <Badge tone="good">{t.reader.completedOn(format.date(lesson.completed_at))}</Badge>
      )}
    </p>
  );
}
