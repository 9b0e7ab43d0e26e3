import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  BookOpenCheck,
  CirclePause,
  CircleX,
  ClipboardCheck,
  Container,
  Eye,
  FlaskConical,
  GraduationCap,
  HardDrive,
  type LucideIcon,
  RefreshCw,
  TimerOff,
  Trash2,
  UserPlus,
} from 'lucide-react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { type Activity, activityQuery } from './queries.ts';

const icons: Record<Activity['type'], LucideIcon> = {
  lesson_complete: BookOpenCheck,
  exam_start: GraduationCap,
  exam_submit: ClipboardCheck,
  exam_expire: TimerOff,
  exam_abandon: CircleX,
  laboratory_start: FlaskConical,
  laboratory_submit: ClipboardCheck,
  laboratory_expire: TimerOff,
  laboratory_abandon: CircleX,
  container_create: Container,
  container_delete: Trash2,
  container_full: HardDrive,
  container_yield: CirclePause,
  container_evict: Trash2,
  container_replace: RefreshCw,
  register: UserPlus,
  student_view: Eye,
};

/** The user's activity, newest first, loaded page by page. */
export function ActivityFeed() {
  const { activity: words } = useStrings();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(activityQuery);
  // New activity between two page loads shifts the pages, so entries can repeat.
  const entries = new Map(data?.pages.flatMap(({ items }) => items).map((entry) => [entry.id, entry]));
  return (
    <section aria-labelledby="activity" className="flex flex-col gap-3">
      <h2 id="activity" className="flex min-h-9 items-center text-lg font-semibold">
        {words.title}
      </h2>
      {!data && !error && <Loading rows={6} />}
      {data && entries.size === 0 && <Empty title={words.empty}>{words.emptyHelp}</Empty>}
      {entries.size > 0 && (
        <Card className="flex flex-col gap-3">
          <ol className="flex flex-col divide-y">
            {[...entries.values()].map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
          {hasNextPage && (
            <Button size="small" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {words.more}
            </Button>
          )}
        </Card>
      )}
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
    </section>
  );
}

function Entry({ entry }: { entry: Activity }) {
  const { types } = useStrings().activity;
  const format = useFormat();
  const Icon = icons[entry.type];
  const text = types[entry.type](entry.title);
  return (
    <li className="flex gap-3 py-2.5 text-sm first:pt-0 last:pb-0">
      <Icon size={17} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="wrap-break-word">
          {entry.type === 'lesson_complete' && entry.entity_id !== null ? (
            <Link
              to="/lessons/$lessonId"
              params={{ lessonId: String(entry.entity_id) }}
              className="underline-offset-2 hover:underline"
            >
              {text}
            </Link>
          ) : (
            text
          )}
        </p>
        <time dateTime={entry.created_at} title={format.time(entry.created_at)} className="text-xs text-ink-soft">
          {format.ago(entry.created_at)}
        </time>
      </div>
    </li>
  );
}
