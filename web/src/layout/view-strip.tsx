import { Eye } from 'lucide-react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session, type View } from '../api/session.ts';
import type { User } from '../api/user.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** Says on every page that a teacher looks at it as a student, and leads back. */
export function ViewStrip({ user, view: { classId } }: { user: User; view: View }) {
  const { view: words } = useStrings().classes;
  const toasts = useToasts();
  const end = async (): Promise<void> => {
    // From here on with the teacher's own token.
    session.leave();
    navigate({ to: '/classes/$classId', params: { classId: `${classId}` }, search: { tab: 'members' } });
    const params = { path: { id: classId, user_id: user.id } };
    await ok(api.DELETE('/api/classes/{id}/members/{user_id}/view', { params }));
  };
  return (
    <aside
      aria-label={words.title}
      className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warn-soft px-3 py-1.5 text-sm sm:px-4"
    >
      <Eye size={18} aria-hidden="true" className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        <strong className="font-semibold">{words.of(user.full_name || user.username)}</strong>
        <span className="max-sm:sr-only"> {words.help}</span>
      </p>
      <Button size="small" onClick={() => void end().catch(toasts.failed)}>
        {words.end}
      </Button>
    </aside>
  );
}
