import { Link } from '@tanstack/react-router';
import {
  Activity,
  BookOpen,
  Boxes,
  CalendarPlus,
  ChevronDown,
  ClipboardList,
  FilePen,
  Fingerprint,
  FlaskConical,
  FolderGit2,
  GraduationCap,
  KeyRound,
  LayoutDashboard,
  LayoutTemplate,
  ListChecks,
  ListTree,
  type LucideIcon,
  Megaphone,
  MonitorPlay,
  NotebookPen,
  School,
  Server,
  Settings,
  SquareTerminal,
  Table2,
  Trash2,
  Users,
} from 'lucide-react';
import { useState } from 'react';
import type { User } from '../api/user.ts';
import { groupsOf, type PageLink } from '../routing/page-groups.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { remember, remembered } from '../ui/remember.ts';

const icons: Partial<Record<PageLink['name'], LucideIcon>> = {
  dashboard: LayoutDashboard,
  courses: BookOpen,
  sandboxes: SquareTerminal,
  exams: GraduationCap,
  classes: School,
  announcements: Megaphone,
  notes: NotebookPen,
  gradeBook: Table2,
  attempts: ClipboardList,
  grading: ListChecks,
  planExam: CalendarPlus,
  live: MonitorPlay,
  taughtCourses: ListTree,
  courseEditor: ListTree,
  writtenLessons: FilePen,
  repositories: FolderGit2,
  examEditor: GraduationCap,
  laboratoryEditor: FlaskConical,
  templates: LayoutTemplate,
  users: Users,
  registrationCodes: KeyRound,
  identityProviders: Fingerprint,
  ltiPlatforms: School,
  containers: Boxes,
  activity: Activity,
  deletions: Trash2,
  settings: Settings,
  system: Server,
};

/** The groups that are folded, which the browser remembers. With all of an administrator's open, the last pages would be below the window. */
const foldedName = 'navigation-groups-folded';
const foldedAtFirst: Partial<Record<User['role'], string>> = { admin: 'learn' };

/** The links to the pages of the user's role, in groups. A folded group shows the page that is open. */
export function Navigation({ role, onGo }: { role: User['role']; onGo?: () => void }) {
  const t = useStrings();
  const [folded, setFolded] = useState(() => (remembered(foldedName) ?? foldedAtFirst[role] ?? '').split(' '));
  const toggle = (name: string): void => {
    const next = folded.includes(name) ? folded.filter((one) => one !== name) : [...folded, name];
    remember(foldedName, next.join(' '));
    setFolded(next);
  };
  return (
    <nav aria-label={t.common.navigation} className="flex flex-col gap-1">
      {groupsOf(role).map(({ name, pages }) => {
        // A student has one group, which needs no name.
        const isNamed = name !== undefined && role !== 'student';
        const isFolded = isNamed && folded.includes(name);
        return (
          <div key={name ?? ''} className="flex flex-col">
            {isNamed && (
              <button
                type="button"
                aria-expanded={!isFolded}
                onClick={() => toggle(name)}
                className="flex min-h-8 items-center justify-between rounded-md px-3 text-xs font-semibold tracking-wide text-ink-soft uppercase hover:bg-sunken"
              >
                {t.common.groups[name]}
                <ChevronDown size={14} aria-hidden="true" className={classes(isFolded && '-rotate-90')} />
              </button>
            )}
            {pages.map((link) => (
              <NavigationLink key={link.to} link={link} isFolded={isFolded} onGo={onGo} />
            ))}
          </div>
        );
      })}
    </nav>
  );
}

type LinkProps = { link: PageLink; isFolded: boolean; onGo: (() => void) | undefined };

function NavigationLink({ link: { to, name }, isFolded, onGo }: LinkProps) {
  const t = useStrings();
  const Icon = icons[name];
  return (
    <Link
      to={to}
      onClick={onGo}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className={classes(
        'flex min-h-9 items-center gap-3 rounded-md px-3 text-sm text-ink-soft hover:bg-sunken lg:min-h-8 hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink',
        isFolded && 'not-aria-[current=page]:hidden',
      )}
    >
      {Icon && <Icon size={18} aria-hidden="true" />} {t.common.links[name]}
    </Link>
  );
}
