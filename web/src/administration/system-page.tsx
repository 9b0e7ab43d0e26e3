import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PlainPath } from '../routing/addresses.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge, Card, ProgressBar } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { type Stats, type System, statsQuery, systemQuery, wordOf } from './queries.ts';

/** The share of a disk from which it counts as nearly full. */
const nearlyFull = 0.9;

export function SystemPage() {
  const t = useStrings();
  const system = useQuery(systemQuery);
  const stats = useQuery(statsQuery);
  return (
    <Page title={t.common.links.system} lead={`${t.administration.systemLead} ${t.administration.refreshed}.`}>
      <Fetched query={system} skeleton={<Loading rows={3} className="h-32" />}>
        {(data) => <State system={data} />}
      </Fetched>
      <Fetched query={stats} skeleton={<Loading rows={1} className="h-32" />}>
        {(data) => <Figures stats={data} />}
      </Fetched>
    </Page>
  );
}

function State({ system }: { system: System }) {
  const t = useStrings();
  const format = useFormat();
  const { service, engine, database, disk, warm_pool, grading, container_starts, open_terminals } = system;
  const { network_limits: networks, backups } = system;
  const used = 1 - disk.free_bytes / disk.total_bytes;
  const troubles = [
    ...(engine.is_reachable ? [] : [`${t.administration.noEngine}: ${engine.problem}`]),
    ...(used > nearlyFull ? [t.administration.diskFull] : []),
  ];
  return (
    <>
      <Verdict troubles={troubles} t={t} />
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        <Part title={t.administration.health}>
          <Fact name={t.administration.engine}>
            <Badge tone={engine.is_reachable ? 'good' : 'bad'}>
              {engine.is_reachable ? t.administration.reachable : t.administration.unreachable}
            </Badge>
          </Fact>
          <Fact name={t.administration.database}>{format.bytes(database.size_bytes)}</Fact>
          <Fact name={t.administration.disk}>
            {t.administration.freeOf(format.bytes(disk.free_bytes), format.bytes(disk.total_bytes))}
          </Fact>
          <ProgressBar value={100 * used} label={t.administration.disk} />
          <Fact name={t.administration.backups} {...(backups.last_file === null ? {} : { help: backups.last_file })}>
            {backups.last_at === null ? t.administration.backupNever : format.ago(backups.last_at)}
          </Fact>
          <Fact name={t.administration.restoreTried}>
            {backups.restore_tried_at === null ? t.administration.restoreNever : format.ago(backups.restore_tried_at)}
          </Fact>
        </Part>
        <Part title={t.administration.queues}>
          <Fact name={t.administration.grading}>
            {t.administration.runningWaiting(grading.running, grading.waiting)}
          </Fact>
          <Fact name={t.administration.starts}>
            {t.administration.runningWaiting(container_starts.running, container_starts.waiting)}
          </Fact>
          <Fact name={t.administration.warmPool} help={t.administration.warmPoolHelp}>
            {t.administration.readyOf(warm_pool.ready, warm_pool.wanted)}
          </Fact>
          <Fact name={t.administration.terminals}>{format.number(open_terminals)}</Fact>
        </Part>
        <Part title={t.administration.versions}>
          <Fact name={t.administration.service}>{service.version}</Fact>
          <Fact name="Node.js">{service.node_version}</Fact>
          <Fact name="PostgreSQL">{database.version}</Fact>
          {engine.version && <Fact name={engine.name ?? t.administration.engine}>{engine.version}</Fact>}
          <Fact name={t.administration.processes}>{format.number(service.processes)}</Fact>
          <Fact name={t.administration.memoryUsed}>{format.bytes(service.memory_bytes)}</Fact>
          <Fact name={t.administration.uptime}>{duration(service.uptime_seconds, t)}</Fact>
        </Part>
      </div>
      {networks.length > 0 && (
        <Part title={t.administration.networks}>
          <p className="text-ink-soft">{t.administration.networksNote}</p>
          {networks.map(({ network, limit_met, times, last_at }) => (
            <Fact
              key={`${network} ${limit_met}`}
              name={network}
              help={wordOf(t.administration.networkLimits, limit_met)}
            >
              {t.administration.networkTimes(times, format.ago(last_at))}
            </Fact>
          ))}
        </Part>
      )}
      {service.processes > 1 && <p className="text-sm text-ink-soft">{t.administration.processNote}</p>}
    </>
  );
}

function Verdict({ troubles, t }: { troubles: readonly string[]; t: Strings }) {
  const isWell = troubles.length === 0;
  const Icon = isWell ? CircleCheck : TriangleAlert;
  return (
    <div
      role="status"
      className={`flex items-start gap-3 rounded-lg border px-4 py-3 ${isWell ? 'border-good bg-good-soft text-good' : 'border-bad bg-bad-soft text-bad'}`}
    >
      <Icon size={20} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="font-medium">
        {isWell ? t.administration.allWell : troubles.map((trouble) => <p key={trouble}>{trouble}</p>)}
      </div>
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card>
    <h2 className="mb-3 font-semibold">{title}</h2>
    <div className="flex flex-col gap-2.5 text-sm">{children}</div>
  </Card>
);

const Fact = ({ name, help, children }: { name: string; help?: string; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4">
    <p className="shrink-[999] text-ink-soft">
      {name}
      {help && <span className="block text-xs [overflow-wrap:anywhere]">{help}</span>}
    </p>
    <p className="max-w-2/3 text-right font-medium text-balance tabular-nums">{children}</p>
  </div>
);

function duration(seconds: number, t: Strings): string {
  const minutes = Math.floor(seconds / 60);
  return t.administration.duration(Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60);
}

type Counted = [name: string, count: number];

/** The totals of the service. */
function Figures({ stats }: { stats: Stats }) {
  const t = useStrings();
  const { users, containers, attempts, activity_last_24_hours: activity } = stats;
  const { kinds, attemptStates, types } = t.administration;
  const lastDay = Object.entries(activity)
    .sort(([, a], [, b]) => b - a)
    .map(([type, count]): Counted => [wordOf(types, type), count]);
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{t.administration.figures}</h2>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
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
