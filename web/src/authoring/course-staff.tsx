import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { isRefusal, ok, okAll } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { taughtKey } from '../teaching-model/behind-door.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { optionsOf, Select } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { UserField } from '../ui/forms/user-field.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';

type Member = Answer<'/api/teaching/courses/{course_id}/staff'>[number];

const roles = ['viewer', 'editor', 'owner'] as const satisfies readonly Member['role'][];
const members = '/api/teaching/courses/{course_id}/staff' as const;
const member = `${members}/{user_id}` as const;
const keyOf = (courseId: number) => [...taughtKey, courseId, 'staff'];

/** Who teaches a course. Its owners change that; everybody may leave. */
export function CourseStaff({ courseId: course_id }: { courseId: number }) {
  const words = useStrings().authoring.staff;
  const { isOwner } = useDoor();
  const staff = useQuery({
    queryKey: keyOf(course_id),
    queryFn: ({ signal }) => okAll((query) => api.GET(members, { params: { path: { course_id }, query }, signal })),
  });
  return (
    <>
      <p className="max-w-prose text-sm text-ink-soft">{words.rolesHelp}</p>
      <Fetched query={staff}>
        {(rows) => (
          <ul aria-label={words.staff} className="flex flex-col gap-2">
            {rows.map((one) => (
              <MemberRow key={one.user_id} courseId={course_id} of={one} />
            ))}
          </ul>
        )}
      </Fetched>
      {isOwner ? <AddMember courseId={course_id} /> : <p className="text-sm text-ink-soft">{words.ownersOnly}</p>}
    </>
  );
}

function MemberRow({ courseId: course_id, of }: { courseId: number; of: Member }) {
  const words = useStrings().authoring.staff;
  const { isOwner } = useDoor();
  const client = useQueryClient();
  const toasts = useToasts();
  const [isAsking, setAsking] = useState(false);
  const { user_id, username, full_name, role } = of;
  const isSelf = useUser().id === user_id;
  const params = { path: { course_id, user_id } };
  const seeAnew = () => client.invalidateQueries({ queryKey: taughtKey });
  const setRole = async (next: Member['role']): Promise<void> => {
    try {
      await ok(api.PUT(member, { params, body: { role: next } }));
      toasts.done(words.roleChanged(username, words.roles[next]));
    } catch (error) {
      toasts.failed(error);
    }
    await seeAnew();
  };
  const remove = async (): Promise<void> => {
    await ok(api.DELETE(member, { params }));
    toasts.done(isSelf ? words.left : words.removed(username));
    if (isSelf) navigate({ to: '/teaching/courses' });
    await client.invalidateQueries({ queryKey: isSelf ? taughtKey : keyOf(course_id), exact: isSelf });
  };
  return (
    <li className="panel flex flex-wrap items-center gap-3 px-4 py-2">
      <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <span className="block font-medium">{full_name || username}</span>
        {full_name && <span className="block text-xs text-ink-soft">{username}</span>}
      </span>
      {isOwner ? (
        <Select
          aria-label={words.roleOf(username)}
          label={words.role}
          value={role}
          onChange={({ target }) => void setRole(target.value as Member['role'])}
          options={optionsOf(roles, words.roles)}
        />
      ) : (
        <Badge tone="info">{words.roles[role]}</Badge>
      )}
      {(isOwner || isSelf) && (
        <Button
          aria-haspopup="dialog"
          aria-label={isSelf ? words.leave : words.removeNamed(username)}
          onClick={() => setAsking(true)}
        >
          <UserMinus size={16} aria-hidden="true" /> {isSelf ? words.leave : words.remove}
        </Button>
      )}
      <Confirm
        title={isSelf ? words.leaveTitle : words.removeTitle(username)}
        action={isSelf ? words.leave : words.remove}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={remove}
      >
        {words.removeHelp}
      </Confirm>
    </li>
  );
}

const empty: { username: string; role: Member['role'] } = { username: '', role: 'editor' };

function AddMember({ courseId: course_id }: { courseId: number }) {
  const t = useStrings();
  const words = t.authoring.staff;
  const toasts = useToasts();
  const client = useQueryClient();
  const sent = useSentForm(empty, async ({ username, role }) => {
    const body = { username: username.trim(), role };
    const request = ok(api.POST(members, { params: { path: { course_id } }, body }));
    const added = await request.catch((problem: unknown) => {
      if (!isRefusal(problem, 'not_found', 'validation')) throw problem;
      form.setError('username', { type: 'refused', message: words.nobody });
      return undefined;
    });
    if (!added) return;
    toasts.done(words.added(added.full_name || added.username));
    sent.clear();
    await client.invalidateQueries({ queryKey: keyOf(course_id) });
  });
  const { form, field } = sent;
  return (
    <Card className="max-w-xl p-5">
      <h2 className="mb-4 text-lg font-semibold">{words.add}</h2>
      <SentForm sent={sent} action={words.add}>
        <UserField label={words.who} {...field('username')} />
        <Select label={words.role} options={optionsOf(roles, words.roles)} {...field('role')} />
      </SentForm>
    </Card>
  );
}
