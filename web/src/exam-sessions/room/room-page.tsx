import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { PlugZap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../../api/use-session.ts';
import { AwaitingLinks } from '../../attempts/awaiting.tsx';
import { isOver } from '../../attempts/status.ts';
import { useAddress } from '../../routing/use-address.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { classQuery, mayControl } from '../../teaching-model/classes.ts';
import { sessionQuery } from '../../teaching-model/exam-sessions.ts';
import { SessionState, UntilChange } from '../../teaching-model/session-facts.tsx';
import { classes } from '../../ui/classes.ts';
import { Crumb, Crumbs } from '../../ui/crumbs.tsx';
import { FilterFields } from '../../ui/lists/filters.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Empty, Loading } from '../../ui/states.tsx';
import { SessionMenu } from '../session-menu.tsx';
import { columnsOf } from './room-columns.tsx';
import { SessionSignals } from './session-signals.tsx';
import { isStuck, lacks, SilentSwitch, TaskFilters, tasksOf } from './silent-checks.tsx';
import { type Room, type RoomStudent, useRoom } from './use-room.ts';

/** The room of an exam session of a class, for those who supervise it: each student live. */
export function RoomPage() {
  const t = useStrings();
  const { classId, sessionId } = useParams({ from: '/classes/$classId/sessions/$sessionId' });
  const address = useAddress('/classes/$classId/sessions/$sessionId');
  const { data: of } = useQuery(classQuery(Number(classId)));
  return (
    <SessionRoom
      id={Number(sessionId)}
      address={address}
      crumbs={
        <Crumbs>
          <Crumb to="/classes">{t.classes.back}</Crumb>
          <Crumb to="/classes/$classId" params={{ classId }} search={{ tab: 'exams' }}>
            {of?.name ?? t.classes.class}
          </Crumb>
        </Crumbs>
      }
    />
  );
}

/** The same of a session for chosen students. */
export function ChosenRoomPage() {
  const t = useStrings();
  const { sessionId } = useParams({ from: '/exam-sessions/$sessionId' });
  const address = useAddress('/exam-sessions/$sessionId');
  return (
    <SessionRoom
      id={Number(sessionId)}
      address={address}
      crumbs={
        <Crumbs>
          <Crumb to="/plan-exam" search={{ is_for_chosen: true }}>
            {t.examSessions.choosing.sessions}
          </Crumb>
        </Crumbs>
      }
    />
  );
}

function SessionRoom({ id, address, crumbs }: { id: number; address: RoomAddress; crumbs: ReactNode }) {
  const t = useStrings();
  const { room, isLive, error } = useRoom(id);
  const { data: session } = useQuery(sessionQuery(id));
  const user = useUser();
  const isController = session !== undefined && mayControl(session, user);
  return (
    <Page
      title={room ? t.room.titleOf(room.session.title) : t.room.title}
      crumbs={crumbs}
      actions={isController && <SessionMenu session={session} isEditable={false} />}
    >
      {error !== undefined && <ProblemNote error={error} />}
      {!room && error === undefined && <Loading rows={6} className="h-12" />}
      {room && (
        <>
          <div className="flex flex-wrap items-center gap-3">
            {session && (
              <>
                <SessionState session={session} /> <UntilChange session={session} />
              </>
            )}
            {!isLive && (
              <span role="status" className="flex items-center gap-1.5 text-sm text-warn">
                <PlugZap size={16} aria-hidden="true" /> {t.room.notLive}
              </span>
            )}
          </div>
          {isController && user.role !== 'student' && room.session.state === 'open' && (
            <SilentSwitch id={id} minutes={room.session.silent_check_minutes} />
          )}
          <AwaitingLinks of={{ session_id: id }} />
          <RoomStudents room={room} isController={isController} address={address} />
          {session?.has_signals && <SessionSignals id={id} />}
        </>
      )}
    </Page>
  );
}

type RoomAddress = ReturnType<typeof useAddress<'/exam-sessions/$sessionId'>>;

/** The students in the room of an exam session, with a search. */
function RoomStudents({
  room: { session, students },
  isController,
  address: { search, onSearch },
}: {
  room: Room;
  isController: boolean;
  address: RoomAddress;
}) {
  const t = useStrings();
  const isStaff = useUser().role !== 'student';
  const tasks = tasksOf(students);
  const task = tasks.find(({ task_id }) => task_id === search.task)?.task_id;
  const shown = studentsIn(students, { group: search.group, text: search.q, task });
  if (students.length === 0) return <Empty title={t.room.nobody} />;
  const numbers = roomGroups.map((group) => [group, students.filter((one) => isIn(group, one)).length] as const);
  return (
    <>
      <ul aria-label={t.room.show} className="flex flex-wrap gap-2">
        {numbers.map(
          ([group, number]) =>
            (number > 0 || search.group === group) && (
              <li key={group}>
                <GroupFilter
                  {...{ group, number }}
                  isSet={search.group === group}
                  onSet={(isSet) => onSearch({ ...search, group: isSet ? group : undefined })}
                />
              </li>
            ),
        )}
      </ul>
      {tasks.length > 0 && (
        <TaskFilters {...{ students, tasks, task }} onTask={(next) => onSearch({ ...search, task: next })} />
      )}
      <FilterFields
        search={search}
        onChange={(next, replace = false) => onSearch({ ...search, ...next }, replace)}
        filters={[{ text: 'q', label: t.room.search }]}
      />
      {shown.length === 0 ? (
        <Empty title={t.room.nobodyFound} />
      ) : (
        <Table
          caption={t.room.title}
          rows={shown}
          keyOf={({ user_id }) => user_id}
          columns={columnsOf(t, {
            sessionId: session.id,
            isPaused: session.is_paused,
            isStaff,
            isController,
            tasks,
          })}
        />
      )}
    </>
  );
}

/** The number of the students of a group, which shows only them while it is pressed. */
function GroupFilter({
  group,
  number,
  isSet,
  onSet,
}: {
  group: RoomGroup;
  number: number;
  isSet: boolean;
  onSet: (isSet: boolean) => void;
}) {
  const t = useStrings();
  return (
    <button
      type="button"
      aria-pressed={isSet}
      onClick={() => onSet(!isSet)}
      className={classes(
        'min-h-8 rounded-full border px-3 text-sm hover:bg-sunken',
        group === 'attention' && number > 0 && 'border-warn font-medium text-warn',
        isSet && 'border-accent bg-accent-soft font-medium text-ink',
      )}
    >
      {t.room.group(group, number)}
    </button>
  );
}

/** What supervisors distinguish. A student can be in several groups. */
const roomGroups = ['not_started', 'queued', 'working', 'done', 'stuck', 'attention'] as const;
type RoomGroup = (typeof roomGroups)[number];

const isWorking = ({ status }: RoomStudent): boolean => status === 'in_progress';

/** Whether a supervisor should look at a student: a warning, no progress, or no open terminal while the clock runs. */
const needsAttention = (student: RoomStudent): boolean =>
  student.warnings.length > 0 ||
  isStuck(student) ||
  (isWorking(student) && student.paused_at === null && !student.is_connected);

const tests: Record<RoomGroup, (student: RoomStudent) => boolean> = {
  not_started: ({ status }) => status === 'not_started',
  queued: ({ status }) => status === 'queued',
  working: isWorking,
  done: (student) => student.status === 'grading' || isOver(student),
  stuck: isStuck,
  attention: needsAttention,
};

const isIn = (group: RoomGroup, student: RoomStudent): boolean => tests[group](student);

/** Those who need attention come first. @param text part of a name, in any letter case */
function studentsIn(
  students: readonly RoomStudent[],
  { group, text = '', task }: { group?: RoomGroup | undefined; text?: string | undefined; task?: number | undefined },
): RoomStudent[] {
  const sought = text.trim().toLowerCase();
  const isNamed = ({ username, full_name }: RoomStudent): boolean =>
    `${username}\n${full_name ?? ''}`.toLowerCase().includes(sought);
  const shown = students.filter(
    (student) =>
      (group === undefined || isIn(group, student)) && (task === undefined || lacks(student, task)) && isNamed(student),
  );
  // The sort is stable: within both parts the order stays.
  return shown.sort((one, other) => Number(needsAttention(other)) - Number(needsAttention(one)));
}
