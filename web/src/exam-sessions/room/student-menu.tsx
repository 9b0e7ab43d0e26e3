import { CircleStop, Ellipsis, MessageSquare, MonitorSmartphone, Play, Timer } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { EndConfirm } from './end-confirm.tsx';
import { ExtendForm } from './extend-form.tsx';
import { MessageForm } from './message-form.tsx';
import { StudentConfirm } from './student-confirm.tsx';
import type { RoomStudent } from './use-room.ts';

/** What supervisors do for one student who takes the exam. */
export function StudentMenu({ sessionId: id, student }: { sessionId: number; student: RoomStudent }) {
  const t = useStrings();
  const [shown, setShown] = useState<'message' | 'extend' | 'unlock' | 'break' | 'end'>();
  const close = (): void => setShown(undefined);
  const { status, username, full_name, user_id, is_locked, break_ends_at, warnings } = student;
  const name = full_name || username;
  const isRunning = status === 'in_progress';
  const isQueued = status === 'queued';
  const mayEnd = isRunning || isQueued;
  if (!mayEnd && !is_locked) return null;
  return (
    <>
      {is_locked && warnings.includes('login_refused') && (
        <Button onClick={() => setShown('unlock')}>{t.room.letIn}</Button>
      )}
      <Menu
        trigger={
          <IconButton label={t.examSessions.actionsOf(name)}>
            <Ellipsis size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {isRunning && (
          <>
            <MenuItem onSelect={() => setShown('message')}>
              <MessageSquare size={16} aria-hidden="true" /> {t.examSessions.message}
            </MenuItem>
            <MenuItem onSelect={() => setShown('extend')}>
              <Timer size={16} aria-hidden="true" /> {t.examSessions.extend}
            </MenuItem>
          </>
        )}
        {break_ends_at !== null && (
          <MenuItem onSelect={() => setShown('break')}>
            <Play size={16} aria-hidden="true" /> {t.room.endBreak}
          </MenuItem>
        )}
        {is_locked && (
          <MenuItem onSelect={() => setShown('unlock')}>
            <MonitorSmartphone size={16} aria-hidden="true" /> {t.room.unlock}
          </MenuItem>
        )}
        {mayEnd && (
          <MenuItem onSelect={() => setShown('end')}>
            <CircleStop size={16} aria-hidden="true" className="text-bad" />{' '}
            <span className="text-bad">{t.room.end}</span>
          </MenuItem>
        )}
      </Menu>
      <Dialog title={t.room.messageTo(name)} isOpen={shown === 'message'} onOpenChange={close}>
        <MessageForm id={id} userId={user_id} onDone={close} />
      </Dialog>
      <Dialog title={t.room.moreTimeFor(name)} isOpen={shown === 'extend'} onOpenChange={close}>
        <ExtendForm id={id} userId={user_id} onDone={close} />
      </Dialog>
      <StudentConfirm
        act="unlock"
        id={id}
        student={{ user_id, name }}
        isOpen={shown === 'unlock'}
        onOpenChange={close}
      />
      <StudentConfirm act="break" id={id} student={{ user_id, name }} isOpen={shown === 'break'} onOpenChange={close} />
      <EndConfirm id={id} student={{ user_id, name, isQueued }} isOpen={shown === 'end'} onOpenChange={close} />
    </>
  );
}
