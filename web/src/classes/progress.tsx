import { useQuery } from '@tanstack/react-query';
import { pageSize } from '../api/list-query.ts';
import { AwaitingBadge } from '../attempts/awaiting.tsx';
import { useTabAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type ClassProgress, type ProgressState, progressQuery, progressStates } from '../teaching-model/classes.ts';
import { DueState, dueOf } from '../teaching-model/due-state.tsx';
import { Badge, Card, type Tone } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { optionsOf } from '../ui/forms/field.tsx';
import { FilterFields } from '../ui/lists/filters.tsx';
import { Pages } from '../ui/lists/pages.tsx';
import { type Column, Table, type TableOrder } from '../ui/lists/table.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { Figures, studentCell, Tries, titleAmong } from './class-figures.tsx';

const tones: Record<ProgressState, Tone> = { not_begun: 'neutral', begun: 'info', stuck: 'warn', finished: 'good' };
const bars: Record<ProgressState, string> = {
  not_begun: 'bg-line-strong',
  begun: 'bg-accent',
  stuck: 'bg-warn',
  finished: 'bg-good',
};

/** What the students of a class have done: who has not begun, who is stuck. */
export function Progress({ classId: id }: { classId: number }) {
  const t = useStrings();
  const { search, onSearch } = useTabAddress('/classes/$classId', 'progress');
  const { page: _page, ...filter } = search;
  return (
    <Figures
      title={t.classes.progress}
      lead={t.classes.progressLead}
      actions={
        <DownloadButton label={t.classes.csv} path={`/api/classes/${id}/progress`} query={filter} type="text/csv" />
      }
    >
      <Fetched query={useQuery(progressQuery(id, search))}>
        {(progress) => (
          <>
            <Counts counts={progress.counts} />
            <FilterFields
              filters={[
                {
                  choice: 'state',
                  label: t.classes.state,
                  options: optionsOf(progressStates, t.classes.progressStates),
                },
              ]}
              search={search}
              onChange={(change, replace) => onSearch({ ...search, page: undefined, ...change }, replace)}
            />
            <Students
              progress={progress}
              order={{
                sort: search.sort,
                order: search.order ?? 'asc',
                onSort: (sort, order) => onSearch({ ...search, page: undefined, sort, order }, true),
              }}
            />
            <Pages
              page={search.page ?? 1}
              pageSize={pageSize}
              total={totalOf(progress, search.state)}
              onChange={(page) => onSearch({ ...search, page }, false)}
            />
          </>
        )}
      </Fetched>
    </Figures>
  );
}

const sum = (counts: ClassProgress['counts']): number => Object.values(counts).reduce((all, count) => all + count, 0);

/** The students of a state, or all. */
const totalOf = ({ counts }: ClassProgress, state: ProgressState | undefined): number =>
  state ? counts[state] : sum(counts);

/** The students by state, as bars with their numbers. */
function Counts({ counts }: { counts: ClassProgress['counts'] }) {
  const t = useStrings();
  const all = Math.max(1, sum(counts));
  return (
    <Card>
      <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-2 text-sm">
        {progressStates.map((state) => (
          <div key={state} className="contents">
            <dt>{t.classes.progressStates[state]}</dt>
            <dd aria-hidden="true" className="h-3 rounded-full bg-sunken">
              <div className={`h-3 rounded-full ${bars[state]}`} style={{ width: `${(100 * counts[state]) / all}%` }} />
            </dd>
            <dd className="text-right tabular-nums">{counts[state]}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-xs text-ink-soft">{t.classes.stuckHelp}</p>
    </Card>
  );
}

type Student = ClassProgress['students'][number];

function Students({
  progress: { students, subjects: assessments, total_themes },
  order,
}: {
  progress: ClassProgress;
  order: TableOrder;
}) {
  const t = useStrings();
  const format = useFormat();
  if (students.length === 0) return <Empty title={t.search.nothingFits} />;
  const columns: Column<Student>[] = [
    {
      title: t.classes.member,
      sort: 'name',
      cell: studentCell,
    },
    {
      title: t.classes.state,
      sort: 'state',
      cell: ({ state }) => <Badge tone={tones[state]}>{t.classes.progressStates[state]}</Badge>,
    },
    {
      title: t.classes.lessonsDone,
      isShort: true,
      sort: 'completed_themes',
      firstOrder: 'desc',
      cell: ({ completed_themes }) => t.classes.ofAll(completed_themes, total_themes),
    },
    ...assessments.map(
      (assessment, index): Column<Student> => ({
        title: titleAmong(assessments, assessment),
        isShort: true,
        sort: `${assessment.kind}-${assessment.id}`,
        firstOrder: 'desc',
        cell: ({ results, extensions }) => (
          <Result
            result={results[index] ?? null}
            maxScore={assessment.max_score}
            dueAt={dueOf(assessment, extensions, assessment.due_at)}
          />
        ),
      }),
    ),
    {
      title: t.classes.lastActive,
      isMinor: true,
      isShort: true,
      sort: 'last_active_at',
      firstOrder: 'desc',
      cell: ({ last_active_at }) => (last_active_at ? format.ago(last_active_at) : '–'),
    },
  ];
  return (
    <Table
      caption={t.classes.progress}
      rows={students}
      keyOf={({ user_id }) => user_id}
      columns={columns}
      order={order}
    />
  );
}

type ResultProps = { result: Student['results'][number]; maxScore: number; dueAt: string | null | undefined };

function Result({ result, maxScore, dueAt }: ResultProps) {
  const t = useStrings();
  if (!result)
    return (
      <span className="text-ink-soft">
        – <DueState dueAt={dueAt} doneAt={null} />
      </span>
    );
  const { score, attempts, passed, passed_at, is_active, is_awaiting_grading } = result;
  return (
    <>
      <span className={passed ? 'block font-medium text-good' : 'block'}>
        {score === null ? (is_awaiting_grading ? '' : '–') : t.classes.ofAll(score, maxScore)}{' '}
        {passed && t.classes.passed}
      </span>
      {is_awaiting_grading && <AwaitingBadge />}
      <DueState dueAt={dueAt} doneAt={passed_at} />
      <Tries attempts={attempts} isActive={is_active} />
    </>
  );
}
