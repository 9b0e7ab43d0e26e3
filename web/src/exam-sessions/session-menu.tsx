import {
  CircleStop,
  Ellipsis,
  Eye,
  MessageSquare,
  Pause,
  Pencil,
  Play,
  Timer,
  Trash2,
  UserRoundCheck,
  UserRoundCog,
  Users,
} from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { mayChange } from '../teaching-model/classes.ts';
import type { ExamSession } from '../teaching-model/exam-sessions.ts';
import { IconButton } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { Accommodations } from './accommodations/accommodations.tsx';
import { ChosenStudents } from './chosen-students.tsx';
import { EndConfirm } from './room/end-confirm.tsx';
import { ExtendForm } from './room/extend-form.tsx';
import { MessageForm } from './room/message-form.tsx';
import { ReleaseConfirm } from './room/release-confirm.tsx';
import { SessionForm } from './session-form.tsx';
import { Supervisors } from './supervisors.tsx';
import { useSessionActions } from './use-session-actions.ts';

type Shown =
  | 'edit'
  | 'students'
  | 'supervisors'
  | 'accommodations'
  | 'extend'
  | 'message'
  | 'release'
  | 'end'
  | 'delete';

/**
 * The actions for an exam session.
 * @param isEditable false where it is supervised: only what is done meanwhile
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
  return (
    <>
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
        {state === 'open' && (
          <MenuItem onSelect={() => setShown('message')}>
            <MessageSquare size={16} aria-hidden="true" /> {t.examSessions.message}
          </MenuItem>
        )}
        {is_paused ? (
          <MenuItem onSelect={() => void change.act('resume').catch(toasts.failed)}>
            <Play size={16} aria-hidden="true" /> {t.examSessions.resume}
          </MenuItem>
        ) : (
          state === 'open' && (
            <>
              <MenuItem onSelect={() => void change.act('pause').catch(toasts.failed)}>
                <Pause size={16} aria-hidden="true" /> {t.examSessions.pause}
              </MenuItem>
              <MenuItem onSelect={() => setShown('extend')}>
                <Timer size={16} aria-hidden="true" /> {t.examSessions.extend}
              </MenuItem>
            </>
          )
        )}
        {mayRelease && (
          <MenuItem onSelect={() => setShown('release')}>
            <Eye size={16} aria-hidden="true" /> {t.examSessions.release}
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
