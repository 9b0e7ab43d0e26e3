import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { taughtKey } from '../teaching-model/behind-door.tsx';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import type { OpenDialog } from './node.ts';
import { NodeDialogs } from './node-dialogs.tsx';

/** The courses that the user teaches. */
export function TaughtCoursesPage() {
  const t = useStrings();
  const words = t.authoring.staff;
  const [open, setOpen] = useState<OpenDialog>();
  const courses = useQuery({
    queryKey: taughtKey,
    queryFn: ({ signal }) => okAll((query) => api.GET('/api/teaching/courses', { params: { query }, signal })),
  });
  const isAdmin = useUser().role === 'admin';
  const site = useQuery({
    queryKey: ['site'],
    queryFn: ({ signal }) => ok(api.GET('/api/site', { signal })),
    enabled: !isAdmin,
  });
  const create = (isAdmin || site.data?.course_creators === 'instructors') && (
    <Button look="primary" onClick={() => setOpen({ dialog: 'edit', kind: 'course', parentId: undefined })}>
      <Plus size={16} aria-hidden="true" /> {words.create}
    </Button>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={create}>
      <Fetched query={courses}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={words.emptyTitle}>{words.emptyHelp}</Empty>
          ) : (
            <ul className="flex flex-col gap-3">
              {rows.map(({ id, name, is_active, my_role }) => (
                <li key={id} className="panel flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
                  <Link
                    to="/teaching/courses/$courseId"
                    params={{ courseId: `${id}` }}
                    className="min-w-0 font-medium break-words hover:underline"
                  >
                    {name}
                  </Link>
                  {!is_active && <Badge tone="warn">{t.authoring.courses.inactive}</Badge>}
                  {my_role && <Badge tone="info">{words.roles[my_role]}</Badge>}
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      <NodeDialogs
        open={open}
        onClose={() => setOpen(undefined)}
        onCreated={(id) => navigate({ to: '/teaching/courses/$courseId', params: { courseId: `${id}` } })}
      />
    </Page>
  );
}
