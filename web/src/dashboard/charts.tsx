import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  Legend,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useFormat, useSpoken, useStrings } from '../strings/use-strings.tsx';
import { evenTicks, plotAxis, plotHeight, plotNote } from '../ui/plots/plot-style.ts';
import { useStripes } from '../ui/plots/stripes.tsx';
import { dayTicks } from './day-ticks.ts';
import type { Analytics } from './queries.ts';

const margin = { top: 4, right: 8, bottom: 0, left: -22 };

/** Day and month, short enough to fit below a bar. A day without a time is in UTC, a full time is in the user's zone. */
function useShortDay(zone?: 'UTC'): (date: string | number) => string {
  const { language } = useSpoken();
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', ...(zone && { timeZone: zone }) });
  return (date) => format.format(new Date(date));
}

/** The number of completed lessons and submitted attempts on each day. */
export function DaysChart({ days }: Pick<Analytics, 'days'>) {
  const { plots: words } = useStrings();
  const format = useFormat();
  const shortDay = useShortDay('UTC');
  const stripes = useStripes('var(--info)');
  return (
    <ResponsiveContainer width="100%" height={plotHeight}>
      <BarChart data={days} margin={margin} aria-label={words.perDay}>
        {stripes.definition}
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="date" {...plotAxis} {...evenTicks} tickFormatter={shortDay} />
        <YAxis {...plotAxis} allowDecimals={false} axisLine={false} />
        <Tooltip
          contentStyle={plotNote}
          itemStyle={{ color: 'var(--ink)' }}
          cursor={{ fill: 'var(--sunken)' }}
          labelFormatter={(date) => (typeof date === 'string' ? format.day(date) : '')}
          isAnimationActive={false}
        />
        <Legend
          itemSorter={null}
          formatter={(name) => <span className="text-sm text-ink-soft">{name}</span>}
          iconType="square"
        />
        <Bar
          dataKey="themes_completed"
          name={words.lessons}
          stackId="day"
          fill="var(--accent)"
          isAnimationActive={false}
        />
        <Bar
          dataKey="attempts_submitted"
          name={words.attempts}
          stackId="day"
          fill={stripes.fill}
          stroke="var(--info)"
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

type Score = Analytics['scores'][number];
/** Between the days of the axis: their names have room on a phone, so none is left out. */
const maxDistances = 5;

/** The scores of graded attempts over time: passed ones as filled circles, the others as crosses. */
export function ScoresChart({ scores }: Pick<Analytics, 'scores'>) {
  const { plots: words } = useStrings();
  const shortDay = useShortDay();
  const points = scores.map((score) => ({ ...score, at: Date.parse(score.submitted_at) }));
  const days = dayTicks(
    points.map(({ at }) => at),
    maxDistances,
  );
  const series = [
    { name: words.passed, fill: 'var(--good)', shape: 'circle', data: points.filter(({ passed }) => passed) },
    { name: words.failed, fill: 'var(--bad)', shape: 'cross', data: points.filter(({ passed }) => !passed) },
  ] as const;
  return (
    <ResponsiveContainer width="100%" height={plotHeight}>
      <ScatterChart margin={{ ...margin, top: 10, right: 26 }} accessibilityLayer={false} aria-hidden="true">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="at"
          type="number"
          domain={[days[0] ?? 0, days.at(-1) ?? 0]}
          ticks={days}
          {...plotAxis}
          tickFormatter={shortDay}
          interval={0}
        />
        <YAxis dataKey="percent" type="number" domain={[0, 100]} {...plotAxis} axisLine={false} />
        <Tooltip isAnimationActive={false} content={<ScoreNote />} />
        <Legend itemSorter={null} formatter={(name) => <span className="text-sm text-ink-soft">{name}</span>} />
        {series.map(({ data, ...one }) => (
          <Scatter key={one.name} {...one} legendType={one.shape} data={data} isAnimationActive={false}>
            {data.map(({ attempt_id }) => (
              <Cell key={attempt_id} fill={one.fill} />
            ))}
          </Scatter>
        ))}
      </ScatterChart>
    </ResponsiveContainer>
  );
}

/** The tooltip that recharts shows beside the point under the pointer. */
function ScoreNote({ payload }: { payload?: readonly { payload: Score }[] }) {
  const { plots: words } = useStrings();
  const format = useFormat();
  const score = payload?.[0]?.payload;
  if (!score) return null;
  return (
    <div style={plotNote} className="px-3 py-2">
      <p className="font-medium">{score.title}</p>
      <p>{words.points(score.score, score.max_score)}</p>
      <p className="text-ink-soft">{format.time(score.submitted_at)}</p>
    </div>
  );
}
