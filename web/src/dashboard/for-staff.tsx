import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../api/use-session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesQuery } from '../teaching-model/classes.ts';
import { overviewQuery } from '../teaching-model/overview.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { FirstSteps } from './first-steps.tsx';
import { hasContent, Overview } from './overview.tsx';
import { systemQuery } from './queries.ts';

/** What only the staff see on the start page: what is new to them, the health of the service, their work, and their classes. */
export function ForStaff(): ReactNode {
  const isAdmin = useUser().role === 'admin';
  const overview = useQuery(overviewQuery);
  const hasWork = overview.data && hasContent(overview.data);
  return (
    <>
      <FirstSteps otherwise={!isAdmin && hasWork === false && <NoClass />} />
      {isAdmin && <Health />}
      <Fetched query={overview} skeleton={null}>
        {(data) => hasWork && <Overview overview={data} />}
      </Fetched>
      {overview.data?.has_classes && <OwnClasses />}
    </>
  );
}

function NoClass() {
  const words = useStrings().teaching.overview;
  return (
    <Empty title={words.noClass} action={<ButtonLink to="/classes">{words.toClasses}</ButtonLink>}>
      {words.noClassHelp}
    </Empty>
  );
}

/** The share of a disk from which it counts as nearly full. */
const nearlyFull = 0.9;

/** Whether the service is well, and what it has room for. More is on its own page. */
function Health() {
  const { administration: words, common } = useStrings();
  const format = useFormat();
  const { data } = useQuery(systemQuery);
  if (!data) return null;
  const { engine, backups, disk, warm_pool, grading, container_starts } = data;
  const troubles = [
    ...(engine.is_reachable ? [] : [`${words.noEngine}: ${engine.problem}`]),
    ...(1 - disk.free_bytes / disk.total_bytes > nearlyFull ? [words.diskFull] : []),
  ];
  const facts: [name: string, value: string, isShown: boolean][] = [
    [words.disk, words.freeOf(format.bytes(disk.free_bytes), format.bytes(disk.total_bytes)), true],
    [
      words.backups,
      backups.last_at === null ? words.backupNever : words.backupOf(format.ago(backups.last_at), backups.last_file),
      true,
    ],
    [
      words.restoreTried,
      backups.restore_tried_at === null ? words.restoreNever : format.ago(backups.restore_tried_at),
      true,
    ],
    [words.warmPool, words.readyOf(warm_pool.ready, warm_pool.wanted), warm_pool.wanted > 0],
    [words.starts, words.runningWaiting(container_starts.running, container_starts.waiting), isBusy(container_starts)],
    [words.grading, words.runningWaiting(grading.running, grading.waiting), isBusy(grading)],
  ];
  const isWell = troubles.length === 0;
  const Icon = isWell ? CircleCheck : TriangleAlert;
  return (
    <section aria-label={words.health}>
      <Card className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm">
        <p className={`flex items-center gap-2 font-medium ${isWell ? 'text-good' : 'text-bad'}`}>
          <Icon size={18} aria-hidden="true" className="shrink-0" /> {isWell ? words.allWell : troubles.join('. ')}
        </p>
        <dl className="flex flex-1 flex-wrap gap-x-6 gap-y-1">
          {facts.map(
            ([name, value, isShown]) =>
              isShown && (
                <div key={name} className="flex gap-1.5">
                  <dt className="text-ink-soft">{name}</dt>
                  <dd className="tabular-nums [overflow-wrap:anywhere]">{value}</dd>
                </div>
              ),
          )}
        </dl>
        <Link to="/administration/system" className="underline">
          {common.links.system}
        </Link>
      </Card>
    </section>
  );
}

const isBusy = ({ running, waiting }: { running: number; waiting: number }): boolean => running + waiting > 0;

/** The classes that the user teaches. */
function OwnClasses() {
  const t = useStrings();
  const { data } = useQuery(classesQuery({ is_archived: false }));
  const own = data?.items.filter(({ my_role }) => my_role === 'instructor' || my_role === 'assistant') ?? [];
  if (own.length === 0) return null;
  return (
    <section aria-labelledby="own-classes" className="flex flex-col gap-3">
      <h2 id="own-classes" className="text-lg font-semibold">
        {t.teaching.overview.ownClasses}
      </h2>
      <Card className="p-0!">
        <ul className="divide-y text-sm">
          {own.map(({ id, name, member_count }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
              <Link
                to="/classes/$classId"
                params={{ classId: `${id}` }}
                className="min-w-0 flex-1 basis-48 font-medium underline wrap-anywhere"
              >
                {name}
              </Link>
              <span className="text-ink-soft">{t.classes.memberCount(member_count)}</span>
              <Link to="/plan-exam" search={{ class_id: id }} className="underline">
                {t.common.links.planExam}
                <span className="sr-only">: {name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
