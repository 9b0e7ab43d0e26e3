import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../api/client.ts';
import { pathOf } from '../api/kinds.ts';
import { pageSize } from '../api/list-query.ts';
import { ok, okPage } from '../api/problem.ts';
import { editorPaths } from '../assessments/editor/list-page.tsx';
import { helpKey } from '../help/queries.ts';
import { TextDialog } from '../help/reports.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { Ago } from '../ui/ago.tsx';
import { Button } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Pages } from '../ui/lists/pages.tsx';
import { useToasts } from '../ui/toasts.tsx';

type Reported = Answer<'/api/admin/reports'>[number];

/** The tasks that students have reported, with the reports that have no answer. Nothing where there are none. */
export function Reports() {
  const words = useStrings().help.reports;
  const door = useDoor();
  const [page, setPage] = useState(1);
  const { data } = useQuery({
    queryKey: [...helpKey, 'reports', door.key, page],
    queryFn: ({ signal }) =>
      okPage(door.api.GET('/api/admin/reports', { params: { query: { page, page_size: pageSize } }, signal })),
    staleTime: 0,
  });
  if (!data?.total) return null;
  return (
    <section aria-label={words.title}>
      <Card className="flex flex-col gap-3">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <ul className="flex flex-col gap-6">
          {data.items.map((task) => (
            <ReportedTask key={`${task.kind}-${task.task_id}`} task={task} />
          ))}
        </ul>
        <Pages page={page} pageSize={pageSize} total={data.total} onChange={setPage} />
      </Card>
    </section>
  );
}

function ReportedTask({ task }: { task: Reported }) {
  const { help, teaching } = useStrings();
  const words = help.reports;
  const door = useDoor();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [isAnswering, setAnswering] = useState(false);
  const { kind, assessment_id, assessment_title, task_id, task_title, is_deleted, report_count, reports } = task;
  const answer = async (text: string): Promise<void> => {
    const params = { path: { id: assessment_id, task_id } };
    const path = pathOf(kind, '/api/admin/exams/{id}/tasks/{task_id}/reports/answer');
    const { answered_count } = await ok(door.api.POST(path, { params, body: { text } }));
    toasts.done(words.answered(answered_count));
    await queries.invalidateQueries({ queryKey: helpKey });
  };
  return (
    <li className="flex flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 flex-1 basis-56 font-medium [overflow-wrap:anywhere]">
          <Link
            to={door.page(editorPaths[kind])}
            params={{ ...door.params, assessmentId: `${assessment_id}` }}
            className="hover:underline"
          >
            {assessment_title} · {task_title}
          </Link>
        </h3>
        {is_deleted && <Badge tone="warn">{words.deleted}</Badge>}
        <span className="text-ink-soft">{words.count(report_count)}</span>
        {door.mayChange && (
          <Button size="small" aria-haspopup="dialog" onClick={() => setAnswering(true)}>
            <MessageSquare size={16} aria-hidden="true" /> {help.answer}
            <span className="sr-only">: {task_title}</span>
          </Button>
        )}
      </div>
      <ul className="flex flex-col gap-2">
        {reports.map((report) => (
          <li key={report.id} className="rounded-md bg-sunken p-3 [overflow-wrap:anywhere]">
            <p className="flex flex-wrap items-center gap-x-2 text-ink-soft">
              <span className="font-medium text-ink">{report.full_name || report.username}</span>
              <Ago time={report.reported_at} />
              {report.revision !== null && <span>{words.revision(report.revision)}</span>}
              {report.is_revised && <Badge tone="info">{words.revised}</Badge>}
              {report.is_attempt_visible && (
                <AttemptLink id={report.attempt_id} className="underline">
                  {teaching.attempt} {report.attempt_id}
                </AttemptLink>
              )}
            </p>
            <p className="whitespace-pre-line">{report.text}</p>
            {report.output && (
              <details className="mt-1">
                <summary className="text-ink-soft">{words.output}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
                <pre tabIndex={0} className="mt-1 max-h-60 overflow-auto font-mono text-xs whitespace-pre-wrap">
                  {report.output}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ul>
      <TextDialog
        {...{ isOpen: isAnswering, title: help.answerTo(task_title), label: help.answerText }}
        {...{ help: words.answerHelp(report_count), action: help.answer }}
        onClose={() => setAnswering(false)}
        onSend={answer}
      />
    </li>
  );
}
