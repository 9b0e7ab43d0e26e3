import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { Table } from '../ui/lists/table.tsx';
import type { Analytics } from './queries.ts';

/** The numbers of the plots. They are loaded after the page, like the plots. */
export function DaysTable({ days }: Pick<Analytics, 'days'>) {
  const { plots: words } = useStrings();
  const format = useFormat();
  return (
    <Table
      caption={words.perDay}
      rows={days.toReversed()}
      keyOf={({ date }) => date}
      columns={[
        { title: words.date, cell: ({ date }) => format.day(date) },
        { title: words.lessons, cell: (day) => day.themes_completed, isNumber: true },
        { title: words.attempts, cell: (day) => day.attempts_submitted, isNumber: true },
      ]}
    />
  );
}

export function ScoresTable({ scores }: Pick<Analytics, 'scores'>) {
  const { plots: words } = useStrings();
  const format = useFormat();
  return (
    <Table
      caption={words.scores}
      rows={scores.toReversed()}
      keyOf={({ attempt_id }) => attempt_id}
      columns={[
        { title: words.date, cell: ({ submitted_at }) => format.date(submitted_at) },
        { title: words.attempt, cell: ({ kind, title }) => `${words.kinds[kind]}: ${title}` },
        { title: words.percent, cell: ({ percent }) => `${format.number(percent)} %`, isNumber: true },
        {
          title: words.result,
          cell: ({ passed }) => <Badge tone={passed ? 'good' : 'bad'}>{passed ? words.passed : words.failed}</Badge>,
        },
      ]}
    />
  );
}
