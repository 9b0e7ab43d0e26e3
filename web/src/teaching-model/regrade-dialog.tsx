import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select, TextArea } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { useDoor } from './door.ts';

/** What is graded again. */
export type RegradeScope = {
  of: 'attempt' | 'session' | 'assessment';
  id: number;
  kind: Kind;
  /** Null once it is deleted. */
  assessmentId: number | null;
  /** Only newer revisions are offered. */
  revision?: number | null;
};

const revisionsQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['teaching', 'revisions', kind, id],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { page_size: 100 } };
      return ok(api.GET(pathOf(kind, '/api/exams/{id}/revisions'), { params, signal }));
    },
  });

/** Requests a regrade, and leads to its comparison. */
export function RegradeDialog({
  scope,
  ...dialog
}: {
  scope: RegradeScope;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const { regrades: words } = useStrings();
  return (
    <Dialog title={words.titles[scope.of]} description={words.help} width="max-w-md" {...dialog}>
      <RegradeForm {...scope} />
    </Dialog>
  );
}

function RegradeForm({ of, id, kind, assessmentId, revision: own }: RegradeScope) {
  const { regrades: words } = useStrings();
  const format = useFormat();
  const { api: door } = useDoor();
  const { data = [] } = useQuery({ ...revisionsQuery(kind, assessmentId ?? 0), enabled: assessmentId !== null });
  // Many are graded again after a correction, by which the first choice goes.
  const current = of === 'attempt' ? undefined : data.find(({ is_current }) => is_current)?.revision;
  const sent = useSentForm({ reason: '', revision: `${current ?? ''}` }, async ({ reason, revision }) => {
    const body = { reason, ...(revision === '' ? {} : { revision: Number(revision) }) };
    const request = { params: { path: { id } }, body };
    const { id: regradeId } = await ok(
      of === 'assessment'
        ? door.POST(pathOf(kind, '/api/admin/exams/{id}/regrade'), request)
        : of === 'attempt'
          ? api.POST('/api/instructor/attempts/{id}/regrade', request)
          : api.POST('/api/exam-sessions/{id}/regrade', request),
    );
    navigate({ to: '/teaching/regrades/$regradeId', params: { regradeId: `${regradeId}` } });
  });
  const options = [
    { value: '', label: words.own[of === 'attempt' ? 'attempt' : 'each'] },
    ...data
      .filter(({ revision }) => revision > (own ?? 0))
      .map(({ revision, recorded_at, is_current }) => ({
        value: `${revision}`,
        label: words.revision(revision, format.time(recorded_at), is_current),
      })),
  ];
  return (
    <SentForm sent={sent} action={words.action}>
      <TextArea
        label={words.reason}
        help={words.reasonHelp}
        rows={3}
        maxLength={2000}
        required
        {...sent.field('reason')}
      />
      <Select label={words.checks} help={words.checksHelp} options={options} {...sent.field('revision')} />
    </SentForm>
  );
}
