import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useStrings } from '../../strings/use-strings.tsx';
import type { GradeStatistics } from '../../teaching-model/classes.ts';
import { evenTicks, plotAxis, plotHeight, plotNote } from '../../ui/plots/plot-style.ts';
import { useStripes } from '../../ui/plots/stripes.tsx';

const margin = { top: 8, right: 8, bottom: 0, left: -22 };

/** A histogram: students by percentage, with the percentage that passes. */
export function DistributionChart({
  bins,
  passingPercent,
}: Pick<GradeStatistics, 'bins'> & {
  /** Drawn as a line, where it is known. */
  passingPercent: number | null | undefined;
}) {
  const { gradeBook: words } = useStrings();
  const passing = bins.find(
    ({ from, to }) => typeof passingPercent === 'number' && from <= passingPercent && passingPercent < to,
  );
  const data = bins.map(({ from, to, count }) => ({ range: `${from}–${to}`, count }));
  return (
    <ResponsiveContainer width="100%" height={plotHeight}>
      <BarChart data={data} margin={margin} barCategoryGap={2} aria-label={words.distribution}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="range" {...plotAxis} {...evenTicks} minTickGap={4} />
        <YAxis {...plotAxis} allowDecimals={false} axisLine={false} />
        <Tooltip
          contentStyle={plotNote}
          itemStyle={{ color: 'var(--ink)' }}
          cursor={{ fill: 'var(--sunken)' }}
          isAnimationActive={false}
        />
        {passing && (
          <ReferenceLine
            x={`${passing.from}–${passing.to}`}
            position="start"
            stroke="var(--good)"
            strokeDasharray="5 4"
            label={{
              value: words.passFrom(passingPercent ?? 0),
              position: 'insideTopLeft',
              fill: 'var(--ink-soft)',
              fontSize: 12,
            }}
          />
        )}
        <Bar dataKey="count" name={words.studentCount} fill="var(--accent)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}

/** The difficulty and the discrimination of each task. */
export function TasksChart({ tasks }: Pick<GradeStatistics, 'tasks'>) {
  const { gradeBook: words } = useStrings();
  const stripes = useStripes('var(--info)');
  const data = tasks.map(({ difficulty, discrimination }, index) => ({
    ...{ task: `${index + 1}`, difficulty, discrimination },
  }));
  return (
    <ResponsiveContainer width="100%" height={plotHeight}>
      <BarChart data={data} margin={margin} aria-label={words.tasks}>
        {stripes.definition}
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="task" {...plotAxis} {...evenTicks} minTickGap={4} />
        <YAxis {...plotAxis} domain={[(lowest: number) => Math.min(0, lowest), 1]} axisLine={false} />
        <ReferenceLine y={0} stroke="var(--line-strong)" />
        <Tooltip
          contentStyle={plotNote}
          itemStyle={{ color: 'var(--ink)' }}
          cursor={{ fill: 'var(--sunken)' }}
          labelFormatter={(_, [entry]) => tasks[Number(entry?.payload.task) - 1]?.title ?? ''}
          isAnimationActive={false}
        />
        <Legend
          itemSorter={null}
          formatter={(name) => <span className="text-sm text-ink-soft">{name}</span>}
          iconType="square"
        />
        <Bar dataKey="difficulty" name={words.difficulty} fill="var(--accent)" isAnimationActive={false} />
        <Bar
          dataKey="discrimination"
          name={words.discrimination}
          fill={stripes.fill}
          stroke="var(--info)"
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}
