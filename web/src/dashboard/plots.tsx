import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Card, ProgressBar } from '../ui/card.tsx';
import { Select } from '../ui/forms/field.tsx';
import { Plot, plotSkeleton } from '../ui/plots/plot.tsx';
import { Fetched } from '../ui/states.tsx';
import { Figures } from './figures.tsx';
import { type Analytics, analyticsQuery, type Stats, shownDays } from './queries.ts';

const DaysChart = lazy(() => neededPart(async () => (await import('./charts.tsx')).DaysChart));
const ScoresChart = lazy(() => neededPart(async () => (await import('./charts.tsx')).ScoresChart));
const DaysTable = lazy(() => neededPart(async () => (await import('./plot-tables.tsx')).DaysTable));
const ScoresTable = lazy(() => neededPart(async () => (await import('./plot-tables.tsx')).ScoresTable));
const periods = [7, 30, 90, 365];

/** The user's figures in a line; days, scores and courses as plots. Each is available as a table, for users who cannot see it or want the numbers. */
export function Plots({ stats }: { stats: Stats }) {
  const { plots: words } = useStrings();
  const [days, setDays] = useState(shownDays);
  const analytics = useQuery(analyticsQuery(days));
  return (
    <section aria-labelledby="plots" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="plots" className="text-lg font-semibold">
          {words.title}
        </h2>
        <div className="w-52">
          <Select
            label={words.days}
            isLabelHidden
            value={String(days)}
            onChange={(event) => setDays(Number(event.target.value))}
            options={periods.map((period) => ({ value: String(period), label: words.lastDays(period) }))}
          />
        </div>
      </div>
      <Figures stats={stats} />
      <Fetched query={analytics} skeleton={plotSkeleton}>
        {(data) => (
          <>
            <Days days={data.days} before={data.before} />
            <Scores scores={data.scores} />
            <Courses courses={data.courses} />
          </>
        )}
      </Fetched>
    </section>
  );
}

const sum = (days: Analytics['days']): number =>
  days.reduce((all, { themes_completed, attempts_submitted }) => all + themes_completed + attempts_submitted, 0);

function Days({ days, before }: Pick<Analytics, 'days'> & { before: Analytics['days'] | undefined }) {
  const { plots: words } = useStrings();
  const busy = days.filter((day) => day.themes_completed + day.attempts_submitted > 0);
  return (
    <Plot
      title={words.perDay}
      trend={before && words.trend(sum(days), sum(before), days.length)}
      empty={busy.length === 0 && words.noDays}
      chart={<DaysChart days={days} />}
      table={<DaysTable days={busy} />}
    />
  );
}

function Scores({ scores }: Pick<Analytics, 'scores'>) {
  const { plots: words } = useStrings();
  return (
    <Plot
      title={words.scores}
      empty={scores.length === 0 && words.noScores}
      chart={<ScoresChart scores={scores} />}
      table={<ScoresTable scores={scores} />}
    />
  );
}

/** The courses that are begun. Bars in HTML, so that they are text for everyone. */
function Courses({ courses }: Pick<Analytics, 'courses'>) {
  const t = useStrings();
  const { plots: words } = t;
  const begun = courses.filter(({ completed_themes }) => completed_themes > 0);
  if (begun.length === 0) return null;
  return (
    <Card>
      <h3 className="mb-4 font-medium">{words.perCourse}</h3>
      <ul className="flex flex-col gap-4">
        {begun.map(({ course_id, name, completed_themes, total_themes, percent }) => (
          <li key={course_id} className="flex flex-col gap-1.5 text-sm">
            <span className="flex justify-between gap-4">
              <Link
                to="/courses/$courseId"
                params={{ courseId: `${course_id}` }}
                className="min-w-0 truncate text-accent underline underline-offset-2"
              >
                {name}
              </Link>
              <span className="whitespace-nowrap text-ink-soft tabular-nums">
                {words.ofLessons(completed_themes, total_themes)} · {Math.round(percent)} %
              </span>
            </span>
            <ProgressBar value={percent} label={t.lessons.progressLabel(name)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
