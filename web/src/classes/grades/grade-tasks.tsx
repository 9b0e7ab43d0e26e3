import { lazy, Suspense } from 'react';
import { neededPart } from '../../routing/needed-part.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { GradeStatistics } from '../../teaching-model/classes.ts';
import { Card } from '../../ui/card.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { plotSkeleton } from '../../ui/plots/plot.tsx';

const TasksChart = lazy(() => neededPart(async () => (await import('./grade-charts.tsx')).TasksChart));

/** How difficult each task is, and how well it tells students apart, as a plot with its table below. */
export function TaskAnalysis({ tasks }: Pick<GradeStatistics, 'tasks'>) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  const figure = (value: number | null): string => (value === null ? '–' : format.decimal(value));
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{words.tasks}</h2>
      <Card>
        <div aria-hidden="true">
          <Suspense fallback={plotSkeleton}>
            <TasksChart tasks={tasks} />
          </Suspense>
        </div>
      </Card>
      <Table
        caption={words.tasks}
        rows={tasks.map((task, index) => ({ ...task, number: index + 1 }))}
        keyOf={({ task_id }) => task_id}
        columns={[
          { title: words.task, sortBy: ({ number }) => number, cell: ({ number, title }) => `${number}. ${title}` },
          {
            title: words.solved,
            isNumber: true,
            sortBy: ({ solved, count }) => (count === 0 ? null : solved / count),
            cell: ({ solved, count }) => words.ofAll(solved, count),
          },
          {
            title: words.difficulty,
            isNumber: true,
            sortBy: ({ difficulty }) => difficulty,
            cell: ({ difficulty }) => figure(difficulty),
          },
          {
            title: words.discrimination,
            isNumber: true,
            sortBy: ({ discrimination }) => discrimination,
            cell: ({ discrimination }) => figure(discrimination),
          },
          {
            title: words.correlation,
            isNumber: true,
            sortBy: ({ correlation }) => correlation,
            cell: ({ correlation }) => figure(correlation),
          },
          {
            title: words.timeToSolve,
            sortBy: ({ minutes }) => minutes,
            isNumber: true,
            isShort: true,
            cell: ({ minutes }) => (minutes === null ? '–' : words.minutes(format.decimal(minutes))),
          },
        ]}
      />
      <p className="max-w-prose text-xs text-ink-soft">{words.tasksHelp}</p>
    </section>
  );
}
