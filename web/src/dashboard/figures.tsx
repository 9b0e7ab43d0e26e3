import { Flame } from 'lucide-react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Stats } from './queries.ts';

/** The user's achievements in one line. What there is none of is left out. */
export function Figures({ stats }: { stats: Stats }) {
  const { figures: words } = useStrings().plots;
  const format = useFormat();
  const { current_streak_days: current, longest_streak_days: longest, average_score_percent: average } = stats;
  const figures: [name: string, count: number, value: string][] = [
    [words.lessons, stats.completed_themes, words.of(stats.completed_themes, stats.total_themes)],
    [words.exams, stats.exams_attempted, words.of(stats.exams_passed, stats.exams_attempted)],
    [words.score, average ?? 0, `${format.number(average ?? 0)} %`],
    [words.laboratories, stats.laboratories_passed, format.number(stats.laboratories_passed)],
    [words.learned, stats.minutes_learned, words.hours(format.number(stats.minutes_learned / 60))],
    [words.streak, current, words.days(current)],
    [words.longest, longest > current ? longest : 0, words.days(longest)],
  ];
  return (
    <dl aria-label={words.title} className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {figures.map(
        ([name, count, value]) =>
          count > 0 && (
            <div key={name} className="flex items-center gap-1.5">
              <dt className="flex items-center gap-1.5 text-ink-soft">
                {name === words.streak && <Flame size={16} aria-hidden="true" className="text-warn" />} {name}
              </dt>
              <dd className="font-semibold tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
