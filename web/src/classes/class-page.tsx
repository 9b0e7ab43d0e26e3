import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChartNoAxesColumn, LogOut, Pencil, Table2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ClassAnnouncements } from '../announcements/class-announcements.tsx';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { ClassSessions } from '../exam-sessions/class-sessions.tsx';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey, classQuery, isSupervisor, mayChange, type SchoolClass } from '../teaching-model/classes.ts';
import { allCoursesQuery } from '../teaching-model/parents.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { ClassDeadlines } from './class-deadlines.tsx';
import { ClassForm } from './class-form.tsx';
import { JoinCodes } from './join-codes.tsx';
import { Members } from './members.tsx';

/** A class: its courses, and for those who may see or change them its members and join codes. */
export function ClassPage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/classes/$classId' }).classId);
  const query = useQuery(classQuery(id));
  const { data } = query;
  return (
    <Page
      title={data?.name ?? t.classes.class}
      crumbs={
        <Crumbs>
          <Crumb to="/classes">{t.classes.back}</Crumb>
        </Crumbs>
      }
      lead={data && <About of={data} />}
      actions={
        data && (
          <>
            <FigureLinks of={data} />
            <ClassActions of={data} />
          </>
        )
      }
    >
      <Fetched query={query}>{(found) => <Content of={found} />}</Fetched>
    </Page>
  );
}

function FigureLinks({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const params = { classId: `${of.id}` };
  if (!isSupervisor(of, useUser()))
    return of.is_grade_book_visible ? (
      <ButtonLink look="plain" to="/classes/$classId/my-grades" params={params}>
        <Table2 size={16} aria-hidden="true" /> {t.classes.myGrades}
      </ButtonLink>
    ) : null;
  return (
    <>
      <ButtonLink look="plain" to="/classes/$classId/progress" params={params}>
        <ChartNoAxesColumn size={16} aria-hidden="true" /> {t.classes.progress}
      </ButtonLink>
      <ButtonLink look="plain" to="/classes/$classId/grades" params={params}>
        <Table2 size={16} aria-hidden="true" /> {t.classes.grades}
      </ButtonLink>
    </>
  );
}

function About({ of: { description, is_archived, member_count, my_role } }: { of: SchoolClass }) {
  const t = useStrings();
  return (
    <>
      {description && <p className="mt-1 [overflow-wrap:anywhere] whitespace-pre-line">{description}</p>}
      <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
        {t.classes.memberCount(member_count)}
        {my_role && <Badge tone={my_role === 'student' ? 'neutral' : 'info'}>{t.classes.roles[my_role]}</Badge>}
        {is_archived && <Badge tone="warn">{t.classes.archived}</Badge>}
      </p>
    </>
  );
}

function Content({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const user = useUser();
  return (
    <>
      {of.is_archived && mayChange(of, user) && (
        <p className="rounded-md border bg-sunken px-4 py-3 text-sm">{t.classes.archivedHelp}</p>
      )}
      <ClassAnnouncements of={of} />
      <Courses ids={of.course_ids} />
      <ClassSessions of={of} />
      <ClassDeadlines of={of} />
      {mayChange(of, user) && <JoinCodes of={of} />}
      {/* A long list: what is set up and changed comes before it. */}
      {isSupervisor(of, user) && <Members of={of} mayChange={mayChange(of, user)} />}
    </>
  );
}

function Courses({ ids }: { ids: readonly number[] }) {
  const t = useStrings();
  const { data = [] } = useQuery(allCoursesQuery);
  const courses = data.filter(({ id }) => ids.includes(id));
  return (
    <section>
      <h2 className="mb-2 text-lg font-semibold">{t.classes.courses}</h2>
      {courses.length === 0 ? (
        <p className="text-sm text-ink-soft">{t.classes.noCourses}</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {courses.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/courses/$courseId"
                params={{ courseId: `${id}` }}
                className="inline-flex min-h-6 items-center rounded-full bg-sunken px-2.5 text-sm hover:underline"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Leaves the class, or changes it. */
function ClassActions({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const user = useUser();
  const go = useDeparture();
  const toasts = useToasts();
  const undo = useUndo();
  const [shown, setShown] = useState<'edit' | 'delete' | 'leave'>();
  const close = (): void => setShown(undefined);
  const { id, name } = of;
  const path = { id };
  return (
    <>
      {of.my_role !== null && (
        <Button aria-haspopup="dialog" onClick={() => setShown('leave')}>
          <LogOut size={16} aria-hidden="true" /> {t.classes.leave}
        </Button>
      )}
      {mayChange(of, user) && (
        <>
          <Button aria-haspopup="dialog" onClick={() => setShown('delete')}>
            <Trash2 size={16} aria-hidden="true" className="text-bad" /> {t.common.delete}
          </Button>
          <Button aria-haspopup="dialog" onClick={() => setShown('edit')}>
            <Pencil size={16} aria-hidden="true" /> {t.classes.edit}
          </Button>
        </>
      )}
      <Dialog title={t.classes.editTitle(name)} isOpen={shown === 'edit'} onOpenChange={close}>
        <ClassForm given={of} onDone={close} />
      </Dialog>
      <Confirm
        title={t.classes.deleteTitle(name)}
        action={t.classes.delete}
        isOpen={shown === 'delete'}
        onOpenChange={close}
        onConfirm={() =>
          go(ok(api.DELETE('/api/classes/{id}', { params: { path } })), () =>
            undo(t.classes.deleted(name), 'class', id),
          )
        }
      >
        <p>{t.classes.deleteHelp}</p>
        <p>{t.common.undoHelp}</p>
      </Confirm>
      <Confirm
        title={t.classes.leaveTitle(name)}
        action={t.classes.leave}
        isOpen={shown === 'leave'}
        onOpenChange={close}
        onConfirm={() => {
          const params = { path: { id, user_id: user.id } };
          return go(ok(api.DELETE('/api/classes/{id}/members/{user_id}', { params })), () =>
            toasts.done(t.classes.left(name)),
          );
        }}
      >
        {t.classes.leaveHelp}
      </Confirm>
    </>
  );
}

/** The page of a class that is gone, or was left, leads to the list. */
function useDeparture() {
  const queries = useQueryClient();
  return async (request: Promise<unknown>, report: () => void): Promise<void> => {
    await request;
    report();
    navigate({ to: '/classes' });
    queries.removeQueries({ queryKey: [...classesKey, 'one'] });
    await queries.invalidateQueries({ queryKey: [...classesKey, 'list'] });
  };
}
