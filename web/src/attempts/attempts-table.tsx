import { Link } from '@tanstack/react-router';
import type { Kind } from '../api/kinds.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { pages } from '../teaching-model/assessments.ts';
import { Badge } from '../ui/card.tsx';
import { Table } from '../ui/lists/table.tsx';
import { AwaitingBadge } from './awaiting.tsx';
import type { ListedAttempt } from './queries.ts';
import { isOver, statusTones } from './status.ts';

/** Attempts with their outcomes and links to their results. */
export function AttemptsTable({
  kind,
  attempts,
  hasTitles = true,
}: {
  kind: Kind;
  attempts: readonly ListedAttempt[];
  /** False where all attempts are of one exam or laboratory. */
  hasTitles?: boolean;
}) {
  const t = useStrings();
  const format = useFormat();
  const { columns } = t.attempts;
  return (
    <Table
      caption={t.attempts.mine}
      rows={attempts}
      keyOf={({ id }) => id}
      columns={[
        ...(hasTitles ? [{ title: columns.title, cell: ({ title }: ListedAttempt) => title }] : []),
        { title: columns.started, cell: ({ started_at }) => format.time(started_at), isMinor: hasTitles },
        { title: columns.outcome, cell: (attempt) => <Outcome attempt={attempt} /> },
        {
          title: columns.score,
          cell: ({ score, max_score }) =>
            score === null ? '–' : `${format.decimal(score)} / ${format.decimal(max_score)}`,
          isNumber: true,
        },
        { title: columns.results, cell: (attempt) => <AttemptLink kind={kind} attempt={attempt} /> },
      ]}
    />
  );
}

function Outcome({ attempt: { status, passed, is_ended_by_staff, is_awaiting_grading } }: { attempt: ListedAttempt }) {
  const t = useStrings();
  const outcome = status === 'expired' && is_ended_by_staff ? t.attempts.endedByStaff : t.attempts.statuses[status];
  if (is_awaiting_grading) return <AwaitingBadge />;
  if (passed === null) return <Badge tone={statusTones[status]}>{outcome}</Badge>;
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={passed ? 'good' : 'bad'}>{passed ? t.attempts.passedTitle : t.attempts.notPassedTitle}</Badge>
      {status === 'expired' && <Badge tone="warn">{outcome}</Badge>}
    </span>
  );
}

const link = 'inline-flex min-h-8 items-center text-accent underline';

/** Links to the results, or to the work where there are none yet. */
function AttemptLink({ kind, attempt }: { kind: Kind; attempt: ListedAttempt }) {
  const t = useStrings();
  const format = useFormat();
  const { id, assessment_id, title, started_at } = attempt;
  if (!isOver(attempt)) {
    if (assessment_id === null) return null;
    return (
      <Link to={pages[kind].one} params={{ assessmentId: `${assessment_id}` }} className={link}>
        {t.attempts.goOn}
      </Link>
    );
  }
  const params = { attemptId: `${id}` };
  const name = t.attempts.openNamed(title, format.time(started_at));
  return (
    <Link to={pages[kind].results} params={params} aria-label={name} className={link}>
      {t.attempts.open}
    </Link>
  );
}
