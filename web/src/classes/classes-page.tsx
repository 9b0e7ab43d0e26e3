import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LogIn, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { neededPart } from '../routing/needed-part.ts';
import { navigate } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { loadStrings } from '../strings/load-strings.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey, classesQuery, mayChange, type SchoolClass } from '../teaching-model/classes.ts';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { optionsOf, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import type { Bulk } from '../ui/lists/bulk.ts';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { ClassForm } from './class-form.tsx';

/** The classes that the user sees: of a student, those joined. */
export function ClassesPage() {
  return useUser().role === 'student' ? (
    <ClassList />
  ) : (
    <Suspense fallback={<Loading rows={3} />}>
      <SelectableClasses />
    </Suspense>
  );
}

/** Its texts are loaded for staff alone. */
const SelectableClasses = lazy(() =>
  neededPart(async () => {
    await loadStrings('staff');
    return () => <ClassList bulk={useClassBulk()} />;
  }),
);

function ClassList({ bulk }: { bulk?: Bulk<SchoolClass> }) {
  const t = useStrings();
  const address = useAddress('/classes');
  const isStudent = useUser().role === 'student';
  const { state = 'current', ...search } = address.search;
  const isArchived = state === 'all' ? undefined : state === 'archived';
  return (
    <ListPage
      title={t.common.links.classes}
      lead={isStudent ? t.classes.leadOfStudent : t.classes.lead}
      actions={<Actions mayCreate={!isStudent} />}
      {...address}
      query={useQuery(classesQuery({ ...search, is_archived: isArchived }))}
      filters={[
        { text: 'q', label: t.classes.search },
        {
          choice: 'state',
          label: t.classes.state,
          options: optionsOf(['current', 'archived', 'all'], t.classes.states),
          fallback: 'current',
        },
      ]}
      usual={{ sort: 'name', order: 'asc' }}
      empty={
        isArchived
          ? { title: t.classes.noneArchived }
          : { title: t.classes.noneTitle, help: isStudent ? t.classes.noneHelpOfStudent : t.classes.noneHelp }
      }
      bulk={bulk}
      columns={columnsOf(t)}
      kind="class"
    />
  );
}

/** Whole terms are archived with one request. */
function useClassBulk(): Bulk<SchoolClass> {
  const t = useStrings();
  const user = useUser();
  const queries = useQueryClient();
  return {
    nameOf: ({ name }) => name,
    onDone: () => queries.invalidateQueries({ queryKey: classesKey }),
    actions: [true, false].map((is_archived) => ({
      ...(is_archived ? t.classes.archive : t.classes.unarchive),
      isFor: (of) => mayChange(of, user) && of.is_archived !== is_archived,
      runAll: (rows) =>
        ok(api.POST('/api/classes/archive', { body: { class_ids: rows.map(({ id }) => id), is_archived } })),
    })),
  };
}

function Actions({ mayCreate }: { mayCreate: boolean }) {
  const t = useStrings();
  const [shown, setShown] = useState<'join' | 'create'>();
  const close = (): void => setShown(undefined);
  return (
    <>
      <Button look={mayCreate ? 'plain' : 'primary'} aria-haspopup="dialog" onClick={() => setShown('join')}>
        <LogIn size={16} aria-hidden="true" /> {t.classes.join}
      </Button>
      {mayCreate && (
        <Button look="primary" aria-haspopup="dialog" onClick={() => setShown('create')}>
          <Plus size={16} aria-hidden="true" /> {t.classes.create}
        </Button>
      )}
      <Dialog title={t.classes.join} description={t.classes.joinLead} isOpen={shown === 'join'} onOpenChange={close}>
        <JoinForm />
      </Dialog>
      <Dialog title={t.classes.create} isOpen={shown === 'create'} onOpenChange={close}>
        <ClassForm />
      </Dialog>
    </>
  );
}

const columnsOf = (t: Strings): Column<SchoolClass>[] => [
  {
    title: t.classes.class,
    sort: 'name',
    cell: ({ id, name, description, is_archived }) => (
      <div className="min-w-28">
        <Link
          to="/classes/$classId"
          params={{ classId: `${id}` }}
          className="inline-block min-w-32 font-medium text-accent [overflow-wrap:anywhere] hover:underline"
        >
          {name}
        </Link>{' '}
        {is_archived && <Badge tone="warn">{t.classes.archived}</Badge>}
        {description && <p className="line-clamp-2 text-xs [overflow-wrap:anywhere] text-ink-soft">{description}</p>}
      </div>
    ),
  },
  {
    title: t.classes.myRole,
    cell: ({ my_role }) =>
      my_role === null ? (
        <span className="text-ink-soft">{t.classes.noRole}</span>
      ) : (
        <Badge tone={my_role === 'student' ? 'neutral' : 'info'}>{t.classes.roles[my_role]}</Badge>
      ),
  },
  {
    title: t.classes.members,
    isNumber: true,
    sort: 'member_count',
    firstOrder: 'desc',
    cell: ({ member_count }) => member_count,
  },
];

function JoinForm() {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm({ code: '' }, async (body) => {
    const { id, name } = await ok(api.POST('/api/classes/join', { body }));
    toasts.done(t.classes.joined(name));
    await queries.invalidateQueries({ queryKey: classesKey });
    navigate({ to: '/classes/$classId', params: { classId: `${id}` } });
  });
  const { field } = sent;
  return (
    <SentForm sent={sent} action={t.classes.joinNow}>
      <TextField
        label={t.classes.code}
        required
        maxLength={100}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="font-mono uppercase"
        {...field('code')}
      />
    </SentForm>
  );
}
