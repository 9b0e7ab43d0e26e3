import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { signed } from '../attempts/feedback.tsx';
import { feedbackKey } from '../attempts/queries.ts';
import { outcomeOf } from '../attempts/status.ts';
import { useRemarkText } from '../attempts/use-remark-text.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { Button } from '../ui/button.tsx';
import { Badge, Card, ProgressBar } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { output } from './task-result.tsx';

type Regrade = Answer<'/api/instructor/regrades/{id}'>;
type Difference = Regrade['differences'][number];
type Changed = { attemptId: number; name: string; points: number; tasks: Difference[] };

/** The service answers with at most so many differences. */
const maxShown = 1000;
/** Attempts of a section that are shown at first. */
const few = 50;
export const statusTones = { running: 'info', ready: 'warn', applied: 'good', dropped: 'neutral' } as const;

const regradeQuery = (id: number) =>
  queryOptions({
    queryKey: ['teaching', 'regrade', id],
    queryFn: ({ signal }) => ok(api.GET('/api/instructor/regrades/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 2000 : false),
  });

/** What grading attempts again would change, before somebody applies or drops it. */
export function RegradePage() {
  const { regrades: words, teaching } = useStrings();
  const id = Number(useParams({ from: '/teaching/regrades/$regradeId' }).regradeId);
  const regrade = useQuery(regradeQuery(id));
  return (
    <Page
      title={words.title}
      crumbs={
        <Crumbs>
          <Crumb to="/teaching/attempts">{teaching.backToAttempts}</Crumb>
          <Crumb to="/teaching/regrades">{words.listTitle}</Crumb>
        </Crumbs>
      }
      lead={<span className="whitespace-pre-line wrap-anywhere">{regrade.data?.reason}</span>}
      actions={regrade.data?.is_decider && <Actions regrade={regrade.data} />}
    >
      <Fetched query={regrade}>{(found) => <Comparison regrade={found} />}</Fetched>
    </Page>
  );
}

function Actions({ regrade: { id, status, differences } }: { regrade: Regrade }) {
  const { regrades: words } = useStrings();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [asked, setAsked] = useState<'apply' | 'drop'>();
  const close = (): void => setAsked(undefined);
  const decide = (action: 'apply' | 'drop') => async (): Promise<void> => {
    try {
      await ok(api.POST(`/api/instructor/regrades/{id}/${action}`, { params: { path: { id } } }));
      toasts.done(words.decided[action]);
    } finally {
      // A refusal as well: somebody else has decided.
      await Promise.all([feedbackKey, ['teaching']].map((queryKey) => queries.invalidateQueries({ queryKey })));
    }
  };
  const mayApply = status === 'ready' && differences.length > 0;
  const mayDrop = status === 'running' || status === 'ready';
  return (
    <>
      {mayApply && (
        <Button look="primary" onClick={() => setAsked('apply')} aria-haspopup="dialog">
          {words.apply}
        </Button>
      )}
      {mayDrop && (
        <Button onClick={() => setAsked('drop')} aria-haspopup="dialog">
          {words.drop}
        </Button>
      )}
      <Confirm
        title={words.applyTitle}
        action={words.apply}
        look="primary"
        isOpen={asked === 'apply'}
        onOpenChange={close}
        onConfirm={decide('apply')}
      >
        {words.applyHelp}
      </Confirm>
      <Confirm
        title={words.dropTitle}
        action={words.drop}
        isOpen={asked === 'drop'}
        onOpenChange={close}
        onConfirm={decide('drop')}
      >
        {words.dropHelp}
      </Confirm>
    </>
  );
}

function Comparison({ regrade }: { regrade: Regrade }) {
  const { regrades: words } = useStrings();
  const format = useFormat();
  const { title, status, revision, requested_at, requested_by, decided_at, decided_by, total, done } = regrade;
  const { skipped, differences, kept, is_decider } = regrade;
  const changed = byAttempt(differences);
  const sections = {
    gain: changed.filter(({ points }) => points > 0),
    lose: changed.filter(({ points }) => points < 0),
    same: changed.filter(({ points }) => points === 0),
  };
  return (
    <>
      <Card className="flex flex-col gap-3">
        <div role="status" className="flex flex-col gap-2">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={statusTones[status]}>{words.statuses[status]}</Badge>
            <span>{status === 'running' ? words.progress(done, total) : words.graded(done - skipped.length)}</span>
          </p>
          {status === 'running' && <ProgressBar value={(100 * done) / total} label={words.progress(done, total)} />}
        </div>
        {differences.length > 0 && <p>{words.summary(sections.gain.length, sections.lose.length)}</p>}
        <p className="text-sm text-ink-soft">
          {title} · {revision === null ? words.byOwn : words.byRevision(revision)} ·{' '}
          {words.requested(words.who(requested_by, format.time(requested_at)))}
          {decided_at !== null && ` · ${words.statuses[status]}: ${words.who(decided_by, format.time(decided_at))}`}
        </p>
        {!is_decider && decided_at === null && <p className="text-sm text-ink-soft">{words.readOnly}</p>}
        {differences.length + kept.length >= maxShown && (
          <p className="text-sm text-warn">{words.firstOnly(maxShown)}</p>
        )}
      </Card>
      {differences.length === 0 && status !== 'running' && (
        <Empty title={words.nothingTitle}>{words.nothingHelp}</Empty>
      )}
      {(['gain', 'lose', 'same'] as const).map((name) => (
        <Section
          key={name}
          title={words.sections[name](sections[name].length)}
          attempts={sections[name]}
          isApplied={status === 'applied'}
        />
      ))}
      {kept.length > 0 && (
        <section className="flex flex-col gap-3">
          <h2 className="text-lg font-semibold">{words.kept(kept.length)}</h2>
          <p className="text-sm text-ink-soft">{words.keptHelp}</p>
          <ul className="flex flex-col gap-1 text-sm">
            {kept.map((one) => (
              <li key={`${one.attempt_id} ${one.task_id}`}>
                <AttemptLink id={one.attempt_id} className={link}>
                  {one.full_name || one.username}
                </AttemptLink>
                : {one.title}
              </li>
            ))}
          </ul>
        </section>
      )}
      {skipped.length > 0 && (
        <section className="flex flex-col gap-3">
          <h2 className="text-lg font-semibold">{words.skipped(skipped.length)}</h2>
          <p className="text-sm text-ink-soft">{words.skippedHelp}</p>
          <ul className="flex flex-col gap-1 text-sm">
            {skipped.map(({ attempt_id, reason }) => (
              <li key={attempt_id}>
                <AttemptLink id={attempt_id} className={link}>
                  {words.attempt(attempt_id)}
                </AttemptLink>
                : {words.skippedReasons[reason]}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The differences of each attempt together, in their order. */
function byAttempt(differences: readonly Difference[]): Changed[] {
  const attempts = new Map<number, Changed>();
  for (const one of differences) {
    const name = one.full_name || one.username;
    const found = attempts.get(one.attempt_id) ?? { attemptId: one.attempt_id, name, points: 0, tasks: [] };
    found.tasks.push(one);
    // Points have two decimal places, which sums of fractions miss.
    found.points = Math.round(100 * (found.points + one.after.points_earned - one.before.points_earned)) / 100;
    attempts.set(one.attempt_id, found);
  }
  return [...attempts.values()];
}

const link = 'text-accent underline underline-offset-2 wrap-anywhere';

function Section({ title, attempts, isApplied }: { title: string; attempts: readonly Changed[]; isApplied: boolean }) {
  const { regrades: words } = useStrings();
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  if (attempts.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <ul className="flex flex-col gap-3">
        {(isWhole ? attempts : attempts.slice(0, few)).map(({ attemptId, name, points, tasks }) => (
          <li key={attemptId}>
            <Card className="flex flex-col gap-4">
              <h3 className="flex flex-wrap items-center gap-2 font-medium">
                <AttemptLink id={attemptId} className={link}>
                  {name}
                </AttemptLink>
                <Badge tone={points > 0 ? 'good' : points < 0 ? 'bad' : 'neutral'}>
                  {words.points(signed(format.decimal, points))}
                </Badge>
              </h3>
              {tasks.map((task) => (
                <TaskDifference key={task.task_id} difference={task} isApplied={isApplied} />
              ))}
            </Card>
          </li>
        ))}
      </ul>
      {attempts.length > few && !isWhole && (
        <div>
          <Button size="small" onClick={() => setWhole(true)}>
            {words.all(attempts.length)}
          </Button>
        </div>
      )}
    </section>
  );
}

function TaskDifference({ difference, isApplied }: { difference: Difference; isApplied: boolean }) {
  const { regrades: words } = useStrings();
  const format = useFormat();
  const { title, points, before, after, is_deterministic, is_applied } = difference;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <h4 className="font-medium wrap-anywhere">{title}</h4>
        <span className="tabular-nums">
          {words.change(
            format.decimal(before.points_earned),
            format.decimal(after.points_earned),
            format.decimal(points),
          )}
        </span>
        {!is_deterministic && <Badge tone="warn">{words.notDeterministic}</Badge>}
        {isApplied && !is_applied && <Badge>{words.notApplied}</Badge>}
      </div>
      {!is_deterministic && <p className="text-sm text-ink-soft">{words.notDeterministicHelp}</p>}
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
        <Graded title={words.before} graded={before} />
        <Graded title={words.after} graded={after} />
      </div>
    </div>
  );
}

function Graded({ title, graded }: { title: string; graded: Difference['before'] }) {
  const { teaching, attempts } = useStrings();
  const remark = useRemarkText()(graded);
  const words = { passed: teaching.passed, part: attempts.taskPassedInPart, failed: teaching.failed };
  return (
    <div className="min-w-0">
      <p className="mb-1 text-sm text-ink-soft">
        {title}: {words[outcomeOf(graded)]}
      </p>
      {remark && <p className="mb-1 text-sm text-ink-soft">{remark}</p>}
      {graded.output.trim() ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <pre tabIndex={0} className={output}>
          {graded.output}
        </pre>
      ) : (
        <p className="text-sm text-ink-soft">{teaching.noOutput}</p>
      )}
    </div>
  );
}
