import { Link } from '@tanstack/react-router';
import { ListTree, SquareTerminal, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { LessonNotes } from '../notes/lesson-notes.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import type { Course } from '../teaching-model/courses.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CourseLink, CourseTree } from './course-tree.tsx';
import type { LessonTerminal } from './use-lesson-terminal.ts';

/** The words of a button, in a pane that has no room for them beside its icon. */
const folded = '@max-sm:sr-only';

/** The lesson's position, the tree where it is not shown beside the text, and the terminal's button. */
export function LessonBar({
  course,
  lessonId,
  terminal,
  scroller,
}: {
  course: Course | undefined;
  lessonId: number;
  terminal: LessonTerminal;
  /** What the text is scrolled in. */
  scroller: HTMLElement | null;
}) {
  const t = useStrings();
  const [isTreeOpen, setTreeOpen] = useState(false);
  const section = course?.sections.find(({ themes }) => themes.some(({ id }) => id === lessonId));
  return (
    <div className="@container flex min-h-12 shrink-0 items-center gap-2 border-b bg-surface px-3 py-1.5 sm:px-4">
      <nav aria-label={t.lessons.title} className="mr-auto hidden min-w-0 text-sm text-ink-soft @lg:block">
        <ol className="flex min-w-0 items-center gap-2">
          <li className="shrink-0">
            <Link to="/courses" className="inline-flex min-h-6 items-center hover:text-ink hover:underline">
              {t.reader.backToCourses}
            </Link>
          </li>
          {course && (
            <Crumb>
              <CourseLink course={course} />
            </Crumb>
          )}
          {section && <Crumb>{section.name}</Crumb>}
        </ol>
      </nav>
      {course && (
        <Button
          size="small"
          className={classes('@max-lg:mr-auto', !terminal.isOpen && 'xl:hidden')}
          title={t.lessons.showContents}
          onClick={() => setTreeOpen(true)}
        >
          <ListTree size={16} aria-hidden="true" /> <span className={folded}>{t.lessons.showContents}</span>
        </Button>
      )}
      <LessonNotes key={lessonId} lessonId={lessonId} scroller={scroller} />
      {terminal.isOpen ? (
        <Button size="small" title={t.lessonTerminal.close} onClick={terminal.close}>
          <X size={16} aria-hidden="true" /> <span className={folded}>{t.lessonTerminal.close}</span>
        </Button>
      ) : (
        <Button size="small" title={t.lessonTerminal.open} onClick={terminal.open}>
          <SquareTerminal size={16} aria-hidden="true" /> <span className={folded}>{t.lessonTerminal.open}</span>
        </Button>
      )}
      {course && (
        <Dialog title={course.name} isOpen={isTreeOpen} onOpenChange={setTreeOpen}>
          <nav aria-label={t.reader.contents} className="-mx-2">
            <CourseTree course={course} openAt={lessonId} onGo={() => setTreeOpen(false)} />
          </nav>
        </Dialog>
      )}
    </div>
  );
}

const Crumb = ({ children }: { children: ReactNode }) => (
  <li className="flex min-w-0 gap-2">
    <span aria-hidden="true">›</span>
    <span className="truncate">{children}</span>
  </li>
);
