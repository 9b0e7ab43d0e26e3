import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Keyboard } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { AwaitingLinks } from '../attempts/awaiting.tsx';
import { useAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { AssessmentSelect } from './assessment-select.tsx';
import { GradingForm } from './grading-form.tsx';
import { isTaken } from './grading-keys.ts';
import {
  type GradedResult,
  type GradedTask,
  gradingListQuery,
  gradingTasksQuery,
  openedQuery,
} from './grading-queries.ts';
import { GradedWork } from './grading-work.tsx';
import { assessmentsQuery } from './queries.ts';
import { isUnsettled } from './two-graders.tsx';

/** Milliseconds after which a claim is renewed. It ends after three minutes. */
const renewal = 60_000;

export function GradingPage() {
  const t = useStrings();
  const { search, onSearch } = useAddress('/teaching/grading');
  const { exam_id, laboratory_id, session_id, class_id, task_id } = search;
  const { data: assessments = [] } = useQuery(assessmentsQuery);
  const isChosen = exam_id !== undefined || laboratory_id !== undefined || session_id !== undefined;
  const tasks = useQuery({ ...gradingTasksQuery({ exam_id, laboratory_id, session_id, class_id }), enabled: isChosen });
  const [first] = tasks.data ?? [];
  const kind = first?.kind ?? (laboratory_id === undefined ? 'exam' : 'laboratory');
  return (
    <Page title={t.common.links.grading} lead={t.grading.lead}>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <AssessmentSelect
          none={isChosen ? undefined : t.grading.chooseTitle}
          assessments={assessments}
          chosen={{ kind, id: exam_id ?? laboratory_id ?? first?.assessment_id }}
          onChange={(next) =>
            onSearch(next?.kind === 'laboratory' ? { laboratory_id: next.id } : { exam_id: next?.id })
          }
        />
      </div>
      {(session_id !== undefined || class_id !== undefined) && (
        <p className="text-sm text-ink-soft">
          {session_id === undefined ? t.grading.onlyClass : t.grading.onlySession}{' '}
          {first && (
            <Button
              size="small"
              look="quiet"
              onClick={() =>
                onSearch({ [kind === 'exam' ? 'exam_id' : 'laboratory_id']: first.assessment_id, task_id })
              }
            >
              {session_id === undefined ? t.grading.allClasses : t.grading.allSessions}
            </Button>
          )}
        </p>
      )}
      {isChosen ? (
        <Fetched query={tasks}>
          {(all) =>
            all.length > 0 ? (
              <Tasks key={`${exam_id} ${laboratory_id} ${session_id} ${class_id}`} tasks={all} />
            ) : (
              <Empty title={t.grading.nothingTitle}>{t.grading.nothingHelp}</Empty>
            )
          }
        </Fetched>
      ) : (
        <>
          <AwaitingLinks />
          <Empty title={t.grading.chooseTitle}>{t.grading.chooseHelp}</Empty>
        </>
      )}
    </Page>
  );
}

function Tasks({ tasks }: { tasks: readonly GradedTask[] }) {
  const t = useStrings();
  const { search, onSearch } = useAddress('/teaching/grading');
  // What is shown first stays, whatever others grade meanwhile: a form can be half filled in.
  const [first] = useState(() => (tasks.find(awaits) ?? tasks.find(isOpen) ?? tasks[0])?.task_id);
  const chosen = [search.task_id, first]
    .map((id) => tasks.find(({ task_id }) => task_id === id))
    .find((task) => task !== undefined);
  return (
    <>
      <ul aria-label={t.grading.tasks} className="flex flex-wrap gap-2">
        {tasks.map((task) => (
          <li key={task.task_id}>
            <button
              type="button"
              aria-pressed={task === chosen}
              onClick={() => onSearch({ ...search, task_id: task.task_id, work: undefined })}
              className={classes(
                'flex min-h-10 flex-wrap items-center gap-2 rounded-md border border-line-strong px-3 py-1.5 text-left text-sm hover:bg-sunken',
                task === chosen && 'bg-accent-soft font-medium',
              )}
            >
              {task.title}
              <Badge tone={isOpen(task) ? 'info' : 'good'}>
                {t.grading.progress(task.graded_count, task.total_count)}
              </Badge>
              {awaits(task) && <Badge tone="warn">{t.grading.awaiting(task.awaiting_count)}</Badge>}
              {task.once_graded_count > 0 && <Badge tone="info">{t.grading.once(task.once_graded_count)}</Badge>}
              {task.unsettled_count > 0 && <Badge tone="warn">{t.grading.toSettle(task.unsettled_count)}</Badge>}
            </button>
          </li>
        ))}
      </ul>
      {chosen && <Results key={chosen.task_id} task={chosen} />}
    </>
  );
}

const isOpen = ({ graded_count, total_count }: GradedTask): boolean => graded_count < total_count;
const awaits = ({ awaiting_count }: GradedTask): boolean => awaiting_count > 0;

function Results({ task }: { task: GradedTask }) {
  const { exam_id, laboratory_id, session_id, class_id } = useAddress('/teaching/grading').search;
  const list = useQuery(gradingListQuery({ exam_id, laboratory_id, session_id, class_id }, task.task_id));
  return <Fetched query={list}>{(results) => results.length > 0 && <Walk results={results} task={task} />}</Fetched>;
}

/** One result at a time. */
function Walk({ results, task }: { results: readonly GradedResult[]; task: GradedTask }) {
  const t = useStrings();
  const format = useFormat();
  const queries = useQueryClient();
  const { search, onSearch } = useAddress('/teaching/grading');
  const [isHelping, setHelping] = useState(false);
  const waits = (result: GradedResult): boolean =>
    result.revision === 0 &&
    result.claim?.is_own !== false &&
    (isUnsettled(result) ? result.is_decider : !result.has_own_grade);
  const [first] = useState(() => (results.find(waits) ?? results[0])?.key);
  const index = Math.max(
    0,
    [search.work, first].map((work) => results.findIndex(({ key }) => key === work)).find((place) => place >= 0) ?? 0,
  );
  const shown = results[index];
  const after = [...results.slice(index + 1), ...results.slice(0, index)];
  const next = after.find(waits);
  const goTo = (result: GradedResult | undefined): void => {
    if (result) onSearch({ ...search, task_id: task.task_id, work: result.key }, true);
  };
  const opened = useQuery({ ...openedQuery(shown?.key ?? ''), enabled: shown !== undefined });
  useClaim(shown?.key);
  const nextKey = next?.key;
  useEffect(() => {
    if (nextKey !== undefined) void queries.prefetchQuery({ ...openedQuery(nextKey), staleTime: renewal });
  }, [nextKey, queries]);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTaken(event)) return;
    if (event.key === 'ArrowRight') goTo(results[index + 1]);
    else if (event.key === 'ArrowLeft') goTo(results[index - 1]);
    else if (event.key === '?') setHelping(true);
    else return;
    event.preventDefault();
  });
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!shown) return null;
  const { student, claim } = shown;
  const name = student === null ? t.grading.nameless(index + 1) : student.full_name || student.username;
  return (
    <section aria-label={name} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <IconButton label={t.grading.previous} disabled={index === 0} onClick={() => goTo(results[index - 1])}>
          <ChevronLeft size={18} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t.grading.next}
          disabled={index === results.length - 1}
          onClick={() => goTo(results[index + 1])}
        >
          <ChevronRight size={18} aria-hidden="true" />
        </IconButton>
        <h2 className="text-lg font-semibold break-words">{name}</h2>
        <span className="text-sm text-ink-soft tabular-nums">{t.grading.place(index + 1, results.length)}</span>
        {shown.revision > 0 && <Badge tone="good">{t.teaching.scoreOf(shown.points_earned, shown.points)}</Badge>}
        {shown.has_two_graders && (
          <Badge tone={isUnsettled(shown) ? 'warn' : 'info'}>
            {isUnsettled(shown) ? t.grading.unsettled : t.grading.graders(shown.grade_count)}
          </Badge>
        )}
        <span role="status">
          {claim?.is_own === false && (
            <Badge tone="warn">{t.grading.claimed(claim.by, format.clock(claim.expires_at))}</Badge>
          )}
        </span>
        <Button size="small" look="quiet" className="ml-auto" onClick={() => setHelping(true)} aria-haspopup="dialog">
          <Keyboard size={16} aria-hidden="true" /> {t.grading.keys}
        </Button>
      </div>
      <Fetched query={opened}>
        {(result) => (
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <GradedWork result={result} />
            <GradingForm key={result.key} result={result} onSaved={() => goTo(next)} />
          </div>
        )}
      </Fetched>
      <Dialog title={t.grading.keys} isOpen={isHelping} onOpenChange={setHelping} width="max-w-sm">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
          {t.grading.keyHelp.map(([key, what]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded border px-1.5 py-0.5 font-mono text-xs">{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </section>
  );
}

/** Shows others that the user works on a result, as long as the page shows it. */
function useClaim(key: string | undefined): void {
  useEffect(() => {
    if (key === undefined) return;
    const params = { path: { key } };
    // A claim is a sign for others: without it the page works as well.
    const claim = (): void => void api.POST('/api/instructor/grading/{key}/claim', { params }).catch(() => undefined);
    claim();
    const timer = setInterval(claim, renewal);
    return () => {
      clearInterval(timer);
      void api.DELETE('/api/instructor/grading/{key}/claim', { params }).catch(() => undefined);
    };
  }, [key]);
}
