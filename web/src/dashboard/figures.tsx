import { useQuery } from '@tanstack/react-query';
import {
  BookOpenCheck,
  Clock,
  Container,
  Flame,
  FlaskConical,
  GraduationCap,
  type LucideIcon,
  Target,
} from 'lucide-react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { Fetched, Skeleton } from '../ui/states.tsx';
import { type Stats, statsQuery } from './queries.ts';

const grid = 'grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6';
const skeleton = (
  <div className={grid}>
    {['lessons', 'exams', 'score', 'laboratories', 'time', 'machines'].map((name) => (
      <Skeleton key={name} className="h-28" />
    ))}
  </div>
);

/** The user's achievements in numbers. */
export function Figures() {
  const t = useStrings();
  const stats = useQuery(statsQuery);
  return (
    <section aria-labelledby="figures" className="flex flex-col gap-3">
      <h2 id="figures" className="text-lg font-semibold">
        {t.dashboard.figures.title}
      </h2>
      <Fetched query={stats} skeleton={skeleton}>
        {(data) => (
          <>
            <Streak stats={data} />
            <Cards stats={data} />
          </>
        )}
      </Fetched>
    </section>
  );
}

function Cards({ stats }: { stats: Stats }) {
  const { figures: words } = useStrings().dashboard;
  const format = useFormat();
  const average = stats.average_score_percent;
  return (
    <dl className={grid}>
      <Figure icon={BookOpenCheck} name={words.lessons} value={format.number(stats.completed_themes)}>
        {words.ofLessons(stats.total_themes)}
      </Figure>
      <Figure icon={GraduationCap} name={words.exams} value={format.number(stats.exams_passed)}>
        {words.ofExams(stats.exams_attempted)}
      </Figure>
      <Figure icon={Target} name={words.score} value={average === null ? '–' : `${format.number(average)} %`}>
        {average === null ? words.noScore : words.scoreOf}
      </Figure>
      <Figure icon={FlaskConical} name={words.laboratories} value={format.number(stats.laboratories_passed)} />
      <Figure icon={Clock} name={words.learned} value={words.hours(format.number(stats.minutes_learned / 60))}>
        {words.learnedOf}
      </Figure>
      <Figure icon={Container} name={words.containers} value={format.number(stats.active_containers)}>
        {words.containersOf}
      </Figure>
    </dl>
  );
}

function Figure({
  icon: Icon,
  name,
  value,
  children,
}: {
  icon: LucideIcon;
  name: string;
  value: string;
  children?: string;
}) {
  return (
    <Card className="flex flex-col gap-1">
      <dt className="flex min-h-10 gap-2 text-sm text-ink-soft">
        <Icon size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" /> {name}
      </dt>
      <dd>
        <span className="block text-2xl font-semibold tabular-nums">{value}</span>
        {children && <span className="block text-xs text-ink-soft">{children}</span>}
      </dd>
    </Card>
  );
}

function Streak({ stats: { current_streak_days: current, longest_streak_days: longest } }: { stats: Stats }) {
  const { streak: words } = useStrings().dashboard;
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Flame
        size={30}
        aria-hidden="true"
        className={current > 0 ? 'shrink-0 text-warn' : 'shrink-0 text-line-strong'}
      />
      <p className="min-w-0 flex-1 text-sm">
        <span className="sr-only">{words.title}: </span>
        {current > 0 ? (
          <>
            <strong className="text-base">{words.days(current)}</strong> {words.going}
          </>
        ) : (
          words.none
        )}
      </p>
      {longest > 0 && <p className="text-sm text-ink-soft">{words.longest(longest)}</p>}
    </Card>
  );
}
