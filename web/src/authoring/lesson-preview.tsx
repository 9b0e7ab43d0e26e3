import { useQuery } from '@tanstack/react-query';
import { FileX2 } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { isRefusal } from '../api/problem.ts';
import { useParsedText } from '../markdown/use-parsed-text.ts';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { contentQuery, type LessonInTree } from '../teaching-model/courses.ts';
import { Fetched, Loading } from '../ui/states.tsx';

const LessonText = lazy(() => neededPart(async () => (await import('../markdown/lesson-text.tsx')).LessonText));
const skeleton = <Loading rows={6} className="h-6" />;

/** The text of a lesson as students read it, or a note that its file does not exist. */
export function LessonPreview({ lesson: { id, title, markdown_file_path: path } }: { lesson: LessonInTree }) {
  const t = useStrings();
  const words = t.authoring.courses;
  // Always fetched again, because the file may have been pushed or the path corrected.
  const content = useQuery({ ...contentQuery(id), staleTime: 0 });
  const text = useParsedText(content.data, title);
  const source = useMemo(() => ({ lessonId: id, path }), [id, path]);
  if (isRefusal(content.error, 'lesson_file_not_found')) {
    return (
      <div role="alert" className="flex gap-3 rounded-md border border-warn bg-warn-soft px-4 py-3 text-sm">
        <FileX2 size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
        <div className="min-w-0 break-words">
          <p className="font-semibold text-warn">{words.missingFile}</p>
          <p className="mt-1">{words.missingFileHelp(path)}</p>
        </div>
      </div>
    );
  }
  return (
    <Fetched query={content} skeleton={skeleton}>
      {() => <Suspense fallback={skeleton}>{text ? <LessonText {...{ text, source }} /> : skeleton}</Suspense>}
    </Fetched>
  );
}
