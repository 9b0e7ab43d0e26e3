import { Link } from '@tanstack/react-router';
import {
  Activity,
  BookOpen,
  Boxes,
  CalendarPlus,
  ClipboardList,
  FilePen,
  FlaskConical,
  FolderGit2,
  Gauge,
  GraduationCap,
  KeyRound,
  LayoutDashboard,
  LayoutTemplate,
  ListTree,
  type LucideIcon,
  Megaphone,
  MonitorPlay,
  NotebookPen,
  School,
  Server,
  SquareTerminal,
  Table2,
  Trash2,
  Users,
} from 'lucide-react';
import type { User } from '../api/user.ts';
import type { PlainPath } from '../routing/addresses.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';

type Entry = { to: PlainPath; name: keyof Strings['common']['links']; icon: LucideIcon };
type Group = { title?: 'teaching' | 'administration'; roles: readonly User['role'][]; entries: readonly Entry[] };

const groups: readonly Group[] = [
  {
    roles: ['student', 'instructor', 'admin'],
    entries: [
      { to: '/', name: 'dashboard', icon: LayoutDashboard },
      { to: '/courses', name: 'courses', icon: BookOpen },
      { to: '/sandboxes', name: 'sandboxes', icon: SquareTerminal },
      { to: '/exams', name: 'exams', icon: GraduationCap },
      { to: '/classes', name: 'classes', icon: School },
      { to: '/announcements', name: 'announcements', icon: Megaphone },
      { to: '/notes', name: 'notes', icon: NotebookPen },
    ],
  },
  {
    title: 'teaching',
    roles: ['instructor', 'admin'],
    entries: [
      { to: '/teaching', name: 'overview', icon: Gauge },
      { to: '/teaching/grade-book', name: 'gradeBook', icon: Table2 },
      { to: '/teaching/attempts', name: 'attempts', icon: ClipboardList },
      { to: '/plan-exam', name: 'planExam', icon: CalendarPlus },
      { to: '/teaching/live', name: 'live', icon: MonitorPlay },
    ],
  },
  {
    title: 'administration',
    roles: ['admin'],
    entries: [
      { to: '/administration/users', name: 'users', icon: Users },
      { to: '/administration/registration-codes', name: 'registrationCodes', icon: KeyRound },
      { to: '/administration/courses', name: 'courseEditor', icon: ListTree },
      { to: '/administration/written-lessons', name: 'writtenLessons', icon: FilePen },
      { to: '/administration/repositories', name: 'repositories', icon: FolderGit2 },
      { to: '/administration/exams', name: 'examEditor', icon: GraduationCap },
      { to: '/administration/laboratories', name: 'laboratoryEditor', icon: FlaskConical },
      { to: '/administration/templates', name: 'templates', icon: LayoutTemplate },
      { to: '/administration/containers', name: 'containers', icon: Boxes },
      { to: '/administration/activity', name: 'activity', icon: Activity },
      { to: '/administration/deletions', name: 'deletions', icon: Trash2 },
      { to: '/administration/system', name: 'system', icon: Server },
    ],
  },
];

/** The links to the pages of the user's role. */
export function Navigation({ role, onGo }: { role: User['role']; onGo?: () => void }) {
  const t = useStrings();
  return (
    <nav aria-label={t.common.navigation} className="flex flex-col gap-5">
      {groups
        .filter(({ roles }) => roles.includes(role))
        .map(({ title, entries }) => (
          <div key={title ?? 'learning'} className="flex flex-col gap-0.5">
            {title && (
              <p className="px-3 pb-1 text-xs font-semibold tracking-wide text-ink-soft uppercase">
                {t.common.links[title]}
              </p>
            )}
            {entries.map(({ to, name, icon: Icon }) => (
              <Link
                key={to}
                to={to}
                onClick={onGo}
                activeOptions={{ exact: to === '/' || to === '/teaching', includeSearch: false }}
                className="flex min-h-10 items-center gap-3 rounded-md px-3 text-sm text-ink-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                <Icon size={18} aria-hidden="true" /> {t.common.links[name]}
              </Link>
            ))}
          </div>
        ))}
    </nav>
  );
}
