import { useQuery } from '@tanstack/react-query';
import { ClipboardList, Clock, Target, Trophy } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Kind } from '../api/kinds.ts';
import { Prose } from '../markdown/prose.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import type { Assessment } from '../teaching-model/assessments.ts';
import { LaboratoryDeadlines } from '../teaching-model/laboratory-deadlines.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { AttemptsTable } from './attempts-table.tsx';
import { newestAttemptsQuery } from './queries.ts';
import { Solution } from './solution.tsx';

/** The introduction to an exam or a laboratory: its facts, its rules, and the user's results so far. */
export function AssessmentIntro({
  kind,
  assessment,
  crumbs,
  rules,
  start,
  noAttempts,
}: {
  kind: Kind;
  assessment: Assessment;
  crumbs: ReactNode;
  rules: readonly string[];
  /** The start button. */
  start: ReactNode;
  noAttempts: string;
}) {
  const t = useStrings();
  const attempts = useQuery(newestAttemptsQuery(kind));
  // The tasks of a laboratory that open one after another are listed.
  const isHidden = kind === 'exam' && assessment.tasks.some(({ is_locked }) => is_locked);
  return (
    <Page title={assessment.title} crumbs={crumbs}>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-8 max-lg:order-2">
          {assessment.description.trim() !== '' && <Prose text={assessment.description} />}
          {assessment.introduction.trim() !== '' && <Prose text={assessment.introduction} />}
          <section className="flex flex-col gap-3">
            <h2 className="text-lg font-semibold">{t.attempts.rules}</h2>
            <ul className="flex list-disc flex-col gap-2 pl-5 text-sm leading-relaxed">
              {rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
          </section>
          {assessment.tasks.length > 0 && (
            <section className="flex flex-col gap-3">
              <h2 className="text-lg font-semibold">{t.attempts.tasks}</h2>
              {isHidden ? (
                <p className="text-sm text-ink-soft">{t.exams.tasksLater}</p>
              ) : (
                <Card className="p-0!">
                  <ol className="divide-y text-sm">
                    {assessment.tasks.map(({ id, title, points, solution }, index) => (
                      <li key={id} className="flex flex-col gap-2 px-4 py-2.5">
                        <div className="flex justify-between gap-4">
                          <span className="min-w-0 whitespace-pre-line">
                            {index + 1}. {title}
                          </span>
                          <span className="shrink-0 text-ink-soft tabular-nums">{t.common.points(points)}</span>
                        </div>
                        <Solution text={solution} />
                      </li>
                    ))}
                  </ol>
                </Card>
              )}
            </section>
          )}
          <section className="flex flex-col gap-3">
            <h2 className="text-lg font-semibold">{t.attempts.mine}</h2>
            <Fetched query={attempts}>
              {({ items }) => {
                const mine = items.filter(({ assessment_id }) => assessment_id === assessment.id);
                return mine.length === 0 ? (
                  <p className="text-sm text-ink-soft">{noAttempts}</p>
                ) : (
                  <AttemptsTable kind={kind} attempts={mine} hasTitles={false} />
                );
              }}
            </Fetched>
          </section>
        </div>
        <Card className="flex flex-col gap-4 max-lg:order-1 lg:sticky lg:top-6">
          <h2 className="font-semibold">{t.attempts.facts}</h2>
          <Facts assessment={assessment} />
          {kind === 'laboratory' && <LaboratoryDeadlines laboratoryId={assessment.id} />}
          {start}
        </Card>
      </div>
    </Page>
  );
}

function Facts({
  assessment: { task_count, max_score, passing_score, time_limit_minutes },
}: {
  assessment: Assessment;
}) {
  const t = useStrings();
  const facts = [
    [ClipboardList, t.attempts.tasks, `${task_count}`],
    [Trophy, t.attempts.maxScore, `${max_score}`],
    [Target, t.attempts.passingScore, t.common.points(passing_score)],
    [
      Clock,
      t.attempts.timeLimit,
      time_limit_minutes === null ? t.attempts.noLimit : t.attempts.minutes(time_limit_minutes),
    ],
  ] as const;
  return (
    <dl className="flex flex-col gap-2 text-sm">
      {facts.map(([Icon, name, value]) => (
        <div key={name} className="flex items-center gap-2">
          <dt className="flex flex-1 items-center gap-2 text-ink-soft">
            <Icon size={16} aria-hidden="true" /> {name}
          </dt>
          <dd className="text-right font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
