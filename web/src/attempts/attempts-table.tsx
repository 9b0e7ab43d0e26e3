import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge, type Tone } from '../ui/card.tsx';
import { Table } from '../ui/table.tsx';
import { isOver, type Kind, type ListedAttempt } from './queries.ts';

const tones: Record<ListedAttempt['status'], Tone> = {
  in_progress: 'info',
  grading: 'info',
  finished: 'neutral',
  abandoned: 'neutral',
  expired: 'warn',
};

/** Attempts with their outcome, and the way to their results. */
export function AttemptsTable({
  kind,
  attempts,
  hasTitles = true,
}: {
  kind: Kind;
  attempts: readonly ListedAttempt[];
  /** False where they are all of one exam or laboratory. */
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
          cell: ({ score, max_score }) => (score === null ? '–' : `${score} / ${max_score}`),
          isNumber: true,
        },
        {
          title: columns.results,
          cell: (attempt) => (
            <ResultsLink kind={kind} attempt={attempt}>
              {isOver(attempt) ? t.attempts.open : t.attempts.goOn}
            </ResultsLink>
          ),
        },
      ]}
    />
  );
}

function Outcome({ attempt: { status, passed } }: { attempt: ListedAttempt }) {
  const t = useStrings();
  if (passed === null) return <Badge tone={tones[status]}>{t.attempts.statuses[status]}</Badge>;
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={passed ? 'good' : 'bad'}>{passed ? t.attempts.passedTitle : t.attempts.notPassedTitle}</Badge>
      {status === 'expired' && <Badge tone="warn">{t.attempts.statuses.expired}</Badge>}
    </span>
  );
}

function ResultsLink({ kind, attempt, children }: { kind: Kind; attempt: ListedAttempt; children: ReactNode }) {
  const t = useStrings();
  const format = useFormat();
  const common = {
    params: { attemptId: `${attempt.id}` },
    'aria-label': t.attempts.openNamed(attempt.title, format.time(attempt.started_at)),
    className: 'inline-flex min-h-8 items-center text-accent underline',
  };
  return kind === 'exam' ? (
    <Link to="/exams/results/$attemptId" {...common}>
      {children}
    </Link>
  ) : (
    <Link to="/laboratories/results/$attemptId" {...common}>
      {children}
    </Link>
  );
}
