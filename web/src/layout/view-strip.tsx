import { Eye } from 'lucide-react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session, type View } from '../api/session.ts';
import type { User } from '../api/user.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';

const testStudent = '/api/teaching/test-student';

/** Says on every page that a teacher looks at it as a student, or works as the test student, and leads back. */
export function ViewStrip({ user, view: { classId, from } }: { user: User; view: View }) {
  const { view, preview } = useStrings().classes;
  const toasts = useToasts();
  const words = classId === undefined ? preview : { ...view, who: view.of(user.full_name || user.username) };
  /** @param report what is said when it has ended */
  const leave = (end: () => Promise<unknown>, report?: string): void => {
    // From here on with the teacher's own token.
    session.leave();
    navigate({ href: from });
    end().then(() => report && toasts.done(report), toasts.failed);
  };
  const end = (): void =>
    leave(() =>
      classId === undefined
        ? ok(api.DELETE(`${testStudent}/view`))
        : ok(
            api.DELETE('/api/classes/{id}/members/{user_id}/view', {
              params: { path: { id: classId, user_id: user.id } },
            }),
          ),
    );
  return (
    <aside
      aria-label={words.title}
      className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warn-soft px-3 py-1.5 text-sm sm:px-4"
    >
      <Eye size={18} aria-hidden="true" className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-48">
        <strong className="font-semibold">{words.who}</strong>
        <span className="max-sm:sr-only"> {words.help}</span>
      </p>
      {classId === undefined && (
        <Button size="small" look="danger" onClick={() => leave(() => ok(api.DELETE(testStudent)), preview.deleted)}>
          {preview.delete}
        </Button>
      )}
      <Button size="small" onClick={end}>
        {words.end}
      </Button>
    </aside>
  );
}
