import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type ExamSession, type Supervisor, supervisorsQuery } from '../teaching-model/exam-sessions.ts';
import { sessionsKey } from '../teaching-model/session-list.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Email } from '../ui/email.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { UserField } from '../ui/forms/user-field.tsx';
import { Table } from '../ui/lists/table.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { nameOf } from './accommodations/accommodation-options.ts';

/**
 * Those who supervise a session without a class: they add colleagues, remove them, and leave.
 * @param onLeft called when the user no longer supervises the session
 */
export function Supervisors({ session, onLeft }: { session: ExamSession; onLeft: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const user = useUser();
  const [isLeaving, setLeaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const { id, title } = session;
  const words = t.room.supervising;
  const remove = async (user_id: number): Promise<void> => {
    const params = { path: { id, user_id } };
    await ok(api.DELETE('/api/exam-sessions/{id}/supervisors/{user_id}', { params }));
  };
  const refresh = async (): Promise<void> => await queries.invalidateQueries({ queryKey: sessionsKey });
  const removeOther = async (other: Supervisor): Promise<void> => {
    setError(undefined);
    try {
      await remove(other.user_id);
      toasts.done(words.removed(nameOf(other)));
    } catch (problem) {
      setError(problem);
    }
    await refresh();
  };
  return (
    <div className="flex flex-col gap-5">
      {error !== undefined && <ProblemNote error={error} />}
      <Fetched query={useQuery(supervisorsQuery(id))}>
        {(supervisors) => (
          <SupervisorTable
            supervisors={supervisors}
            onRemove={(one) => (one.user_id === user.id ? setLeaving(true) : void removeOther(one))}
          />
        )}
      </Fetched>
      <AddSupervisorForm id={id} onAdded={refresh} />
      <Confirm
        title={words.leaveTitle(title)}
        action={words.leave}
        isOpen={isLeaving}
        onOpenChange={setLeaving}
        onConfirm={async () => {
          await remove(user.id);
          toasts.done(words.left(title));
          onLeft();
          await refresh();
        }}
      >
        {words.leaveHelp}
      </Confirm>
    </div>
  );
}

/** The only supervisor cannot be removed. */
function SupervisorTable({
  supervisors,
  onRemove,
}: {
  supervisors: Supervisor[];
  onRemove: (one: Supervisor) => void;
}) {
  const t = useStrings();
  const format = useFormat();
  const user = useUser();
  const words = t.room.supervising;
  return (
    <Table
      caption={words.title}
      rows={supervisors}
      keyOf={({ user_id }) => user_id}
      columns={[
        {
          title: words.supervisor,
          cell: (one) => (
            <div className="min-w-28 [overflow-wrap:anywhere]">
              <span className="block font-medium">{nameOf(one)}</span>
              <span className="block text-xs text-ink-soft">
                <Email of={one.email} />
              </span>
            </div>
          ),
        },
        { title: words.since, isMinor: true, isShort: true, cell: ({ added_at }) => format.date(added_at) },
        ...(supervisors.length > 1
          ? [
              {
                title: t.common.actions,
                isActions: true,
                cell: (one: Supervisor) => (
                  <IconButton
                    label={one.user_id === user.id ? words.leave : words.remove(nameOf(one))}
                    onClick={() => onRemove(one)}
                  >
                    <X size={16} aria-hidden="true" />
                  </IconButton>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

const empty = { username: '' };

function AddSupervisorForm({ id, onAdded }: { id: number; onAdded: () => Promise<void> }) {
  const t = useStrings();
  const toasts = useToasts();
  const words = t.room.supervising;
  const messageOf = (problem: unknown): string | undefined => {
    if (isRefusal(problem, 'not_found')) return words.nobody;
    if (isRefusal(problem, 'already_member')) return words.already;
    return isRefusal(problem, 'too_many_exam_sessions') ? words.tooMany : undefined;
  };
  const { form, field, error, clear, onSubmit } = useSentForm(empty, async ({ username }) => {
    const body = { username: username.trim() };
    const request = api.POST('/api/exam-sessions/{id}/supervisors', { params: { path: { id } }, body });
    const added = await ok(request).catch((problem: unknown) => {
      const message = messageOf(problem);
      if (message === undefined) throw problem;
      form.setError('username', { type: 'refused', message });
      return undefined;
    });
    if (!added) return;
    toasts.done(words.added(nameOf(added)));
    clear();
    await onAdded();
  });
  return (
    <form className="flex flex-col gap-3" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <UserField label={words.who} {...field('username')} />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {words.add}
        </Button>
      </FormButtons>
    </form>
  );
}
