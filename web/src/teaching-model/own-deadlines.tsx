import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { type Deadline, ownDeadlinesQuery } from './deadlines.ts';
import { DueState } from './due-state.tsx';

const maxShown = 5;

/** The laboratories that a student has not passed and that are due, on the start page. */
export function OwnDeadlines() {
  const t = useStrings();
  const { data = [] } = useQuery(ownDeadlinesQuery());
  const open = data.filter(({ passed_at }) => passed_at === null);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="deadlines" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="deadlines" className="text-lg font-semibold">
          {t.classes.deadlines}
        </h2>
        <DownloadButton size="small" label={t.examSessions.calendar} path="/api/exam-sessions/calendar.ics" />
      </div>
      <Card className="p-0!">
        <ul className="divide-y text-sm">
          {open.slice(0, maxShown).map((one) => (
            <li key={`${one.class_id}-${one.laboratory_id}`}>
              <Item of={one} />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Item({ of: { laboratory_id, title, class_name, due_at, passed_at } }: { of: Deadline }) {
  const format = useFormat();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1 basis-48">
        <Link
          to="/laboratories/$assessmentId"
          params={{ assessmentId: `${laboratory_id}` }}
          className="font-medium underline [overflow-wrap:anywhere]"
        >
          {title}
        </Link>
        <span className="block text-xs text-ink-soft">{class_name}</span>
      </span>
      <DueState dueAt={due_at} doneAt={passed_at} />
      <time dateTime={due_at} className="text-ink-soft">
        {format.time(due_at)}
      </time>
    </div>
  );
}

/** When a laboratory is due in the classes of a student, on its own page. */
export function LaboratoryDeadlines({ laboratoryId }: { laboratoryId: number }) {
  const t = useStrings();
  const format = useFormat();
  const { data = [] } = useQuery(ownDeadlinesQuery(laboratoryId));
  return data.map(({ class_id, class_name, due_at, passed_at }) => (
    <p key={class_id} className="flex flex-wrap items-center gap-2 text-sm">
      {t.classes.dueIn(format.time(due_at), class_name)}
      <DueState dueAt={due_at} doneAt={passed_at} />
    </p>
  ));
}
