import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Copy, LogOut, Pencil, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { ClassAnnouncements } from '../announcements/class-announcements.tsx';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { AwaitingLinks } from '../attempts/awaiting.tsx';
import { ClassSessions } from '../exam-sessions/class-sessions.tsx';
import { neededPart } from '../routing/needed-part.ts';
import { navigate } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey, classQuery, isSupervisor, mayChange, type SchoolClass } from '../teaching-model/classes.ts';
import { allCoursesQuery } from '../teaching-model/parents.ts';
import { PreviewButton } from '../teaching-model/preview-button.tsx';
import { ActionRow } from '../ui/action-row.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { ClassCopy } from './class-copy.tsx';
import { ClassDeadlines } from './class-deadlines.tsx';
import { ClassForm } from './class-form.tsx';
import { ClassOpenings } from './class-openings.tsx';
import { JoinCodes } from './join-codes.tsx';
import { LtiCourses } from './lti-courses.tsx';
import { Members } from './members.tsx';

/** A class: what students see of it, and for its staff the members, figures and settings. */
export function ClassPage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/classes/$classId' }).classId);
  const user = useUser();
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
        data &&
        mayChange(data, user) && (
          <PreviewButton onBegin={() => navigate({ to: '/classes/$classId', params: { classId: `${id}` } })} />
        )
      }
    >
      <Fetched query={query}>{(found) => <Parts of={found} />}</Fetched>
    </Page>
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

const Progress = lazy(() => neededPart(async () => (await import('./progress.tsx')).Progress));
const Grades = lazy(() => neededPart(async () => (await import('./grades/grades.tsx')).Grades));
const OwnGrades = lazy(() => neededPart(async () => (await import('./grades/own-grades.tsx')).OwnGrades));

function Parts({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const user = useUser();
  const { tab } = useAddress('/classes/$classId').search;
  const isStaff = isSupervisor(of, user);
  const titles = {
    overview: t.classes.overview,
    ...(isStaff ? { members: t.classes.members } : {}),
    exams: t.common.links.exams,
    ...(isStaff ? { progress: t.classes.progress } : {}),
    ...(isStaff || of.is_grade_book_visible ? { grades: isStaff ? t.classes.grades : t.classes.myGrades } : {}),
    settings: t.common.links.settings,
  };
  return (
    <>
      {of.is_archived && mayChange(of, user) && (
        <p className="rounded-md border bg-sunken px-4 py-3 text-sm">{t.classes.archivedHelp}</p>
      )}
      {isStaff && <AwaitingLinks of={{ class_id: of.id }} />}
      <Tabs label={of.name} titles={titles} shown={tab}>
        <TabPanel name="overview">
          <ClassAnnouncements of={of} />
          <Courses ids={of.course_ids} />
          <ClassDeadlines of={of} />
          {mayChange(of, user) && !of.is_archived && of.course_ids.length > 0 && <ClassOpenings classId={of.id} />}
        </TabPanel>
        <TabPanel name="members">
          <Members of={of} mayChange={mayChange(of, user)} />
        </TabPanel>
        <TabPanel name="exams">
          <ClassSessions of={of} />
        </TabPanel>
        <Suspense fallback={<Loading />}>
          <TabPanel name="progress">
            <Progress classId={of.id} />
          </TabPanel>
          <TabPanel name="grades">{isStaff ? <Grades of={of} /> : <OwnGrades classId={of.id} />}</TabPanel>
        </Suspense>
        <TabPanel name="settings">
          {mayChange(of, user) && <LtiCourses classId={of.id} />}
          {mayChange(of, user) && <JoinCodes of={of} />}
          <Settings of={of} />
        </TabPanel>
      </Tabs>
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

/** Changes the class, leaves or deletes it. */
function Settings({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const user = useUser();
  const go = useDeparture();
  const toasts = useToasts();
  const undo = useUndo();
  const [shown, setShown] = useState<'edit' | 'copy' | 'delete' | 'leave'>();
  const close = (): void => setShown(undefined);
  const { id, name } = of;
  const path = { id };
  return (
    <Card className="divide-y py-0!">
      {mayChange(of, user) && (
        <ActionRow aria-haspopup="dialog" help={t.classes.editHelp} onClick={() => setShown('edit')}>
          <Pencil size={16} aria-hidden="true" /> {t.classes.edit}
        </ActionRow>
      )}
      {mayChange(of, user) && (
        <ActionRow aria-haspopup="dialog" help={t.classes.copyHelp} onClick={() => setShown('copy')}>
          <Copy size={16} aria-hidden="true" /> {t.classes.copy}
        </ActionRow>
      )}
      {of.my_role !== null && (
        <ActionRow aria-haspopup="dialog" help={t.classes.leaveHelp} onClick={() => setShown('leave')}>
          <LogOut size={16} aria-hidden="true" /> {t.classes.leave}
        </ActionRow>
      )}
      {mayChange(of, user) && (
        <ActionRow aria-haspopup="dialog" help={t.classes.deleteHelp} onClick={() => setShown('delete')}>
          <Trash2 size={16} aria-hidden="true" className="text-bad" /> {t.classes.delete}
        </ActionRow>
      )}
      <Dialog title={t.classes.editTitle(name)} isOpen={shown === 'edit'} onOpenChange={close}>
        <ClassForm given={of} onDone={close} />
      </Dialog>
      <Dialog title={t.classes.copyTitle(name)} isOpen={shown === 'copy'} onOpenChange={close}>
        <ClassCopy of={of} />
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
    </Card>
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
