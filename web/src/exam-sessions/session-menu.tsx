import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  CircleStop,
  Ellipsis,
  Eye,
  History,
  MessageSquare,
  Pause,
  Pencil,
  Play,
  RotateCcw,
  Timer,
  Trash2,
  UserRoundCheck,
  UserRoundCog,
  Users,
  X,
} from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { isActive } from '../attempts/status.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { mayChange } from '../teaching-model/classes.ts';
import { type Candidate, chosenStudentsQuery, type ExamSession } from '../teaching-model/exam-sessions.ts';
import { RegradeDialog } from '../teaching-model/regrade-dialog.tsx';
import { sessionsKey } from '../teaching-model/session-list.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Table } from '../ui/lists/table.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { nameOf } from './accommodations/accommodation-options.ts';
import { Accommodations } from './accommodations/accommodations.tsx';
import { EndConfirm } from './room/end-confirm.tsx';
import { ExtendButton, ExtendForm } from './room/extend-form.tsx';
import { MessageForm } from './room/message-form.tsx';
import { SessionForm } from './session-form.tsx';
import { StudentPicker } from './student-picker.tsx';
import { Supervisors } from './supervisors.tsx';

type Shown =
  | 'edit'
  | 'students'
  | 'supervisors'
  | 'accommodations'
  | 'extend'
  | 'message'
  | 'release'
  | 'regrade'
  | 'end'
  | 'delete';

/**
 * The actions for an exam session.
 * @param isEditable false where it is supervised: only what is done meanwhile, the most frequent of it in sight
 */
export function SessionMenu({ session, isEditable = true }: { session: ExamSession; isEditable?: boolean }) {
  const t = useStrings();
  const toasts = useToasts();
  const change = useSessionActions(session);
  const [shown, setShown] = useState<Shown>();
  const close = (): void => setShown(undefined);
  const { title, state, is_paused, is_released, results_visible } = session;
  // Students who supervise what an instructor has planned see neither accommodations nor what is withheld.
  const isPlanner = mayChange(session, useUser());
  const mayRelease =
    isPlanner && !is_released && (results_visible === 'after_close' || results_visible === 'when_released');
  const mayPause = is_paused || state === 'open';
  const PauseIcon = is_paused ? Play : Pause;
  const pause = (): void => void change.act(is_paused ? 'resume' : 'pause').catch(toasts.failed);
  return (
    <>
      {!isEditable && state === 'open' && (
        <Button onClick={() => setShown('message')}>
          <MessageSquare size={16} aria-hidden="true" /> {t.room.message}
        </Button>
      )}
      {!isEditable && mayPause && (
        <Button onClick={pause}>
          <PauseIcon size={16} aria-hidden="true" /> {t.examSessions[is_paused ? 'resume' : 'pause']}
        </Button>
      )}
      {!isEditable && state === 'open' && !is_paused && (
        <ExtendButton id={session.id} label={t.room.fiveMinutesForAll} />
      )}
      <Menu
        trigger={
          <IconButton label={t.examSessions.actionsOf(title)}>
            <Ellipsis size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {isEditable && (
          <MenuItem onSelect={() => setShown('edit')}>
            <Pencil size={16} aria-hidden="true" /> {t.examSessions.edit}
          </MenuItem>
        )}
        {session.class_id === null && (
          <>
            <MenuItem onSelect={() => setShown('students')}>
              <Users size={16} aria-hidden="true" /> {t.examSessions.students}
            </MenuItem>
            <MenuItem onSelect={() => setShown('supervisors')}>
              <UserRoundCheck size={16} aria-hidden="true" /> {t.room.supervising.title}
            </MenuItem>
          </>
        )}
        {isPlanner && (
          <>
            <MenuItem onSelect={() => setShown('accommodations')}>
              <UserRoundCog size={16} aria-hidden="true" /> {t.examSessions.accommodations}
            </MenuItem>
            <MenuLine />
          </>
        )}
        {isEditable && state === 'open' && (
          <MenuItem onSelect={() => setShown('message')}>
            <MessageSquare size={16} aria-hidden="true" /> {t.examSessions.message}
          </MenuItem>
        )}
        {isEditable && mayPause && (
          <MenuItem onSelect={pause}>
            <PauseIcon size={16} aria-hidden="true" /> {t.examSessions[is_paused ? 'resume' : 'pause']}
          </MenuItem>
        )}
        {state === 'open' && !is_paused && (
          <MenuItem onSelect={() => setShown('extend')}>
            <Timer size={16} aria-hidden="true" /> {t.examSessions.extend}
          </MenuItem>
        )}
        {mayRelease && (
          <MenuItem onSelect={() => setShown('release')}>
            <Eye size={16} aria-hidden="true" /> {t.examSessions.release}
          </MenuItem>
        )}
        {isPlanner && state !== 'upcoming' && (
          <MenuItem onSelect={() => setShown('regrade')}>
            <RotateCcw size={16} aria-hidden="true" /> {t.regrades.action}
          </MenuItem>
        )}
        {isPlanner && state !== 'upcoming' && (
          <MenuItem onSelect={() => navigate({ to: '/teaching/regrades', search: { session_id: session.id } })}>
            <History size={16} aria-hidden="true" /> {t.regrades.ofThis}
          </MenuItem>
        )}
        {state === 'open' && (
          <MenuItem onSelect={() => setShown('end')}>
            <CircleStop size={16} aria-hidden="true" className="text-bad" />{' '}
            <span className="text-bad">{t.room.endAll}</span>
          </MenuItem>
        )}
        {isEditable && (
          <MenuItem onSelect={() => setShown('delete')}>
            <Trash2 size={16} aria-hidden="true" className="text-bad" />{' '}
            <span className="text-bad">{t.common.delete}</span>
          </MenuItem>
        )}
      </Menu>
      <Dialog title={t.examSessions.editTitle(title)} isOpen={shown === 'edit'} onOpenChange={close}>
        <SessionForm given={session} onDone={close} />
      </Dialog>
      <Dialog
        title={t.examSessions.students}
        description={t.examSessions.choosing.lead}
        isOpen={shown === 'students'}
        onOpenChange={close}
        width="max-w-2xl"
      >
        <ChosenStudents session={session} />
      </Dialog>
      <Dialog
        title={t.room.supervising.title}
        description={t.room.supervising.lead}
        isOpen={shown === 'supervisors'}
        onOpenChange={close}
        width="max-w-2xl"
      >
        <Supervisors session={session} onLeft={close} />
      </Dialog>
      <Dialog
        title={t.examSessions.accommodations}
        description={
          session.class_id === null ? t.examSessions.accommodationsOfChosen : t.examSessions.accommodationsLead
        }
        isOpen={shown === 'accommodations'}
        onOpenChange={close}
        width="max-w-2xl"
      >
        <Accommodations session={session} />
      </Dialog>
      <Dialog title={t.examSessions.extend} isOpen={shown === 'extend'} onOpenChange={close}>
        <ExtendForm id={session.id} onDone={close} />
      </Dialog>
      <Dialog title={t.examSessions.message} isOpen={shown === 'message'} onOpenChange={close}>
        <MessageForm id={session.id} onDone={close} />
      </Dialog>
      <ReleaseConfirm
        session={session}
        isOpen={shown === 'release'}
        onOpenChange={close}
        onConfirm={() => change.act('release')}
      />
      <RegradeDialog
        scope={{ of: 'session', id: session.id, kind: 'exam', assessmentId: session.exam_id }}
        isOpen={shown === 'regrade'}
        onOpenChange={close}
      />
      <EndConfirm id={session.id} isOpen={shown === 'end'} onOpenChange={close} />
      <Confirm
        title={t.examSessions.deleteTitle(title)}
        action={t.common.delete}
        isOpen={shown === 'delete'}
        onOpenChange={close}
        onConfirm={change.remove}
      >
        {t.examSessions.deleteHelp} {t.common.undoHelp}
      </Confirm>
    </>
  );
}

/** The actions for an exam session that need no form. */
function useSessionActions({ id, title }: ExamSession) {
  const t = useStrings();
  const undo = useUndo();
  const toasts = useToasts();
  const queries = useQueryClient();
  const params = { path: { id } };
  const finish = async (request: Promise<unknown>, done: string): Promise<void> => {
    await request;
    toasts.done(done);
    await queries.invalidateQueries({ queryKey: sessionsKey });
  };
  return {
    act: (action: 'pause' | 'resume' | 'release') =>
      finish(ok(api.POST(`/api/exam-sessions/{id}/${action}`, { params })), t.examSessions.done[action](title)),
    remove: async () => {
      await ok(api.DELETE('/api/exam-sessions/{id}', { params }));
      undo(t.examSessions.deleted(title), 'exam_session', id);
      await queries.invalidateQueries({ queryKey: sessionsKey });
    },
  };
}

/** Asks before results are released, and says how many students still work: those who have ended could tell them. */
function ReleaseConfirm({
  session: { id, title },
  ...dialog
}: {
  session: ExamSession;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onConfirm: () => Promise<unknown>;
}) {
  const t = useStrings();
  const words = t.examSessions;
  const { data: room } = useQuery({
    queryKey: [...sessionsKey, 'release', id],
    queryFn: ({ signal }) => ok(api.GET('/api/exam-sessions/{id}/room', { params: { path: { id } }, signal })),
    enabled: dialog.isOpen,
    staleTime: 0,
  });
  const working = room?.students.filter(isActive).length;
  return (
    <Confirm title={words.releaseTitle(title)} action={words.release} look="primary" {...dialog}>
      {working !== undefined && working > 0 && <p className="font-medium">{words.releaseWorking(working)}</p>}
      <p>{words.releaseHelp}</p>
    </Confirm>
  );
}

/** The students of a session without a class, whom its instructor adds and removes. */
function ChosenStudents({ session: { id } }: { session: ExamSession }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.examSessions.choosing;
  const query = useQuery(chosenStudentsQuery(id));
  const [error, setError] = useState<unknown>();
  const send = async (request: Promise<unknown>, done: string): Promise<void> => {
    setError(undefined);
    try {
      await request;
      toasts.done(done);
    } catch (problem) {
      setError(problem);
    }
    await queries.invalidateQueries({ queryKey: sessionsKey });
  };
  const add = (students: readonly Candidate[]): void => {
    if (students.length === 0) return;
    const body = { user_ids: students.map(({ user_id }) => user_id) };
    const request = ok(api.POST('/api/exam-sessions/{id}/users', { params: { path: { id } }, body }));
    void send(request, words.added(students.length));
  };
  const remove = (user_id: number, name: string): void => {
    const params = { path: { id, user_id } };
    void send(ok(api.DELETE('/api/exam-sessions/{id}/users/{user_id}', { params })), words.removed(name));
  };
  return (
    <div className="flex flex-col gap-5">
      {error !== undefined && <ProblemNote error={error} />}
      <StudentPicker chosen={query.data ?? []} onAdd={add} />
      <Fetched query={query}>
        {(students) => (
          <Table
            caption={words.chosen}
            rows={students}
            keyOf={({ user_id }) => user_id}
            columns={[
              { title: t.examSessions.student, cell: (student) => nameOf(student) },
              { title: words.attempts, isNumber: true, isMinor: true, cell: ({ attempts }) => attempts },
              {
                title: t.common.actions,
                isActions: true,
                cell: (student) => (
                  <IconButton
                    label={words.remove(nameOf(student))}
                    onClick={() => remove(student.user_id, nameOf(student))}
                  >
                    <X size={16} aria-hidden="true" />
                  </IconButton>
                ),
              },
            ]}
          />
        )}
      </Fetched>
    </div>
  );
}
