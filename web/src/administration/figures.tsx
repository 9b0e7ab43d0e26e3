import type { PlainPath } from '../routing/addresses.ts';
import { Link } from '../routing/link.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { type Stats, wordOf } from './queries.ts';

type Counted = [name: string, count: number];

/** The totals of the service. */
export function Figures({ stats }: { stats: Stats }) {
  const t = useStrings();
  const { users, containers, attempts, activity_last_24_hours: activity } = stats;
  const { kinds, attemptStates, types } = t.administration;
  const lastDay = Object.entries(activity)
    .sort(([, a], [, b]) => b - a)
    .map(([type, count]): Counted => [wordOf(types, type), count]);
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{t.administration.figures}</h2>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Group
          title={t.administration.users}
          to="/administration/users"
          counts={[
            [t.administration.students, users.student ?? 0],
            [t.administration.instructors, users.instructor ?? 0],
            [t.administration.admins, users.admin ?? 0],
          ]}
        />
        <Group
          title={t.administration.containers}
          to="/administration/containers"
          counts={[
            [kinds.sandbox, containers.sandbox ?? 0],
            [kinds.exam, containers.exam ?? 0],
            [kinds.laboratory, containers.laboratory ?? 0],
            [t.administration.warm, containers.warm ?? 0],
          ]}
        />
        <Group
          title={t.administration.attempts}
          to="/teaching/attempts"
          counts={Object.entries(attempts).map(([status, count]) => [wordOf(attemptStates, status), count])}
        />
        <Group
          to="/administration/activity"
          title={t.administration.lastDay}
          counts={lastDay}
          empty={t.administration.quietDay}
        />
      </div>
    </section>
  );
}

type GroupProps = { title: string; to: PlainPath; counts: Counted[]; empty?: string };

/** The title links to the counted items. */
function Group({ title, to, counts, empty }: GroupProps) {
  const format = useFormat();
  return (
    <Card>
      <h3 className="mb-3 font-semibold">
        <Link to={to} className="hover:underline">
          {title}
        </Link>
      </h3>
      {counts.length === 0 && <p className="text-sm text-ink-soft">{empty}</p>}
      <dl className="flex flex-col gap-2 text-sm">
        {counts.map(([name, count]) => (
          <div key={name} className="flex items-baseline justify-between gap-4">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="font-medium tabular-nums">{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
