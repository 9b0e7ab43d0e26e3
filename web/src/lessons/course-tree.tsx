import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Circle, CircleCheckBig, FlaskConical } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from '../routing/link.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { type Course, laboratoryQuery, type Section, type ThemeInTree } from './queries.ts';

const row = 'flex min-h-9 gap-2.5 rounded-md px-2 py-2 text-sm leading-5';

/** The sections of a course with their lessons, ticks and laboratories. `openAt` is the lesson whose section is open initially. */
export function CourseTree({
  course,
  openAt,
  onGo,
}: {
  course: Course;
  openAt: number | undefined;
  onGo?: (() => void) | undefined;
}) {
  return (
    <ul className="flex flex-col gap-1">
      {course.sections.map((section) => (
        <li key={section.id}>
          <SectionTree section={section} isOpenAtFirst={section.themes.some(({ id }) => id === openAt)} onGo={onGo} />
        </li>
      ))}
    </ul>
  );
}

function SectionTree({
  section,
  isOpenAtFirst,
  onGo,
}: {
  section: Section;
  isOpenAtFirst: boolean;
  onGo: (() => void) | undefined;
}) {
  const t = useStrings();
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
          {section.themes.length === 0 && <li className={classes(row, 'text-ink-soft')}>{t.lessons.emptySection}</li>}
          {section.themes.map((theme) => (
            <li key={theme.id}>
              <ThemeLink theme={theme} onGo={onGo} />
            </li>
          ))}
          <LaboratoryLink sectionId={section.id} onGo={onGo} />
        </ul>
      )}
    </details>
  );
}

const link = classes(
  row,
  'text-ink-soft hover:bg-sunken hover:text-ink',
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink',
);

function ThemeLink({ theme, onGo }: { theme: ThemeInTree; onGo: (() => void) | undefined }) {
  const t = useStrings();
  const Tick = theme.is_completed ? CircleCheckBig : Circle;
  return (
    <Link to="/lessons/$themeId" params={{ themeId: String(theme.id) }} onClick={onGo} className={link}>
      <Tick
        size={16}
        aria-hidden="true"
        className={classes('mt-0.5 shrink-0', theme.is_completed ? 'text-good' : 'text-line-strong')}
      />
      <span className="min-w-0 flex-1">
        {theme.title} <span className="sr-only">({theme.is_completed ? t.lessons.done : t.lessons.notDone})</span>
      </span>
      {theme.duration_minutes > 0 && (
        <span className="text-xs leading-5 whitespace-nowrap text-ink-soft">
          {t.lessons.readingTime(theme.duration_minutes)}
        </span>
      )}
    </Link>
  );
}

function LaboratoryLink({ sectionId, onGo }: { sectionId: number; onGo: (() => void) | undefined }) {
  const t = useStrings();
  const { data: laboratory } = useQuery(laboratoryQuery(sectionId));
  if (!laboratory) return null;
  return (
    <li>
      <Link to="/laboratories/$subjectId" params={{ subjectId: String(laboratory.id) }} onClick={onGo} className={link}>
        <FlaskConical size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
        <span className="min-w-0 flex-1">{t.lessons.laboratory(laboratory.title)}</span>
      </Link>
    </li>
  );
}
