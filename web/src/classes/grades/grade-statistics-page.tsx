import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { neededPart } from '../../routing/needed-part.ts';
import { useAddress } from '../../routing/use-address.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import {
  type ClassGrades,
  classQuery,
  type GradeStatistics,
  gradeStatisticsQuery,
  gradesQuery,
} from '../../teaching-model/classes.ts';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Page } from '../../ui/page.tsx';
import { Plot, plotSkeleton } from '../../ui/plots/plot.tsx';
import { Fetched } from '../../ui/states.tsx';
import { titleAmong } from '../class-figures.tsx';
import { GradesCrumbs } from './grades-crumbs.tsx';

const DistributionChart = lazy(() => neededPart(async () => (await import('./grade-charts.tsx')).DistributionChart));

/** How the grades of a class are distributed, and how each task works. Each plot is available as a table. */
export function GradeStatisticsPage() {
  const t = useStrings();
  const { classId } = useParams({ from: '/classes/$classId/grades/statistics' });
  const { search, onSearch } = useAddress('/classes/$classId/grades/statistics');
  const id = Number(classId);
  const { item = 'total' } = search;
  const { data: of } = useQuery(classQuery(id));
  const { data: book } = useQuery(gradesQuery(id, {}));
  return (
    <Page
      title={of ? t.gradeBook.statisticsOf(of.name) : t.gradeBook.statistics}
      crumbs={<GradesCrumbs classId={classId} name={of?.name} />}
      lead={t.gradeBook.statisticsLead}
    >
      <div className="max-w-md">
        <Select
          label={t.gradeBook.item}
          value={item}
          onChange={({ target }) => onSearch({ item: target.value === 'total' ? undefined : target.value }, false)}
          options={[{ value: 'total', label: t.gradeBook.totalItem }, ...(book ? itemsOf(book) : [])]}
        />
      </div>
      <Fetched query={useQuery(gradeStatisticsQuery(id, item))}>
        {(statistics) => (
          <>
            <Figures of={statistics} />
            <Distribution of={statistics} passingPercent={item === 'total' ? book?.rules.passing_percent : undefined} />
            {statistics.tasks.length > 0 && <TaskAnalysis tasks={statistics.tasks} />}
          </>
        )}
      </Fetched>
    </Page>
  );
}

const itemsOf = ({ subjects: assessments, columns }: ClassGrades) => [
  ...assessments.map((assessment) => ({ value: assessment.key, label: titleAmong(assessments, assessment) })),
  ...columns.map(({ key, name }) => ({ value: key, label: name })),
];

function Figures({ of }: { of: GradeStatistics }) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  const percent = (value: number | null): string => (value === null ? '–' : words.percent(format.decimal(value)));
  const figures = [
    [words.figures.count, words.ofAll(of.count, of.students)],
    [words.figures.mean, percent(of.mean)],
    [words.figures.median, percent(of.median)],
    [words.figures.deviation, of.deviation === null ? '–' : format.decimal(of.deviation)],
    [words.figures.lowest, percent(of.lowest)],
    [words.figures.highest, percent(of.highest)],
    ...(of.minutes === null ? [] : [[words.figures.minutes, words.minutes(format.decimal(of.minutes))]]),
  ];
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 text-sm sm:grid-cols-4 lg:grid-cols-7">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-ink-soft">{name}</dt>
            <dd className="text-lg font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Distribution({
  of: { bins, count },
  passingPercent,
}: {
  of: GradeStatistics;
  passingPercent: number | null | undefined;
}) {
  const { gradeBook: words } = useStrings();
  return (
    <Plot
      title={words.distribution}
      empty={count === 0 && words.noGrades}
      chart={<DistributionChart bins={bins} passingPercent={passingPercent} />}
      table={
        <Table
          caption={words.distribution}
          rows={bins}
          keyOf={({ from }) => from}
          columns={[
            { title: words.percentRange, cell: ({ from, to }) => words.range(from, to) },
            { title: words.studentCount, isNumber: true, cell: (bin) => bin.count },
          ]}
        />
      }
    />
  );
}

const TasksChart = lazy(() => neededPart(async () => (await import('./grade-charts.tsx')).TasksChart));

/** How difficult each task is, and how well it tells students apart, as a plot with its table below. */
function TaskAnalysis({ tasks }: Pick<GradeStatistics, 'tasks'>) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  const figure = (value: number | null): string => (value === null ? '–' : format.decimal(value));
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{words.tasks}</h2>
      <Card>
        <Suspense fallback={plotSkeleton}>
          <TasksChart tasks={tasks} />
        </Suspense>
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
