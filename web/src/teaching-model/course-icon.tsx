import {
  BookOpen,
  Cloud,
  Code,
  Container,
  Database,
  GitBranch,
  Globe,
  HardDrive,
  type LucideIcon,
  Network,
  Server,
  Shield,
  Terminal,
  Wrench,
} from 'lucide-react';

/** The possible names of a course's `icon`. Any other name shows a book. */
const icons: Record<string, LucideIcon> = {
  terminal: Terminal,
  server: Server,
  network: Network,
  shield: Shield,
  security: Shield,
  database: Database,
  cloud: Cloud,
  code: Code,
  git: GitBranch,
  docker: Container,
  container: Container,
  web: Globe,
  globe: Globe,
  storage: HardDrive,
  tools: Wrench,
};

/** The picture of a course's `icon`. */
export const pictureOf = (icon: string | null): LucideIcon => icons[(icon ?? '').toLowerCase()] ?? BookOpen;

export function CourseIcon({ icon }: { icon: string | null }) {
  const Icon = pictureOf(icon);
  return (
    <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-accent-strong">
      <Icon size={22} aria-hidden="true" />
    </span>
  );
}
