import { isOver } from '../../attempts/status.ts';
import type { RoomStudent } from './use-room.ts';

/** What supervisors distinguish. A student can be in several groups. */
export const roomGroups = ['not_started', 'queued', 'working', 'done', 'attention'] as const;
export type RoomGroup = (typeof roomGroups)[number];

const isWorking = ({ status }: RoomStudent): boolean => status === 'in_progress';

/** Whether a supervisor should look at a student: a warning, or no open terminal while the clock runs. */
export const needsAttention = (student: RoomStudent): boolean =>
  student.warnings.length > 0 || (isWorking(student) && student.paused_at === null && !student.is_connected);

const tests: Record<RoomGroup, (student: RoomStudent) => boolean> = {
  not_started: ({ status }) => status === 'not_started',
  queued: ({ status }) => status === 'queued',
  working: isWorking,
  done: (student) => student.status === 'grading' || isOver(student),
  attention: needsAttention,
};

export const isIn = (group: RoomGroup, student: RoomStudent): boolean => tests[group](student);

/** Those who need attention come first. @param text part of a name, in any letter case */
export function studentsIn(
  students: readonly RoomStudent[],
  { group, text = '' }: { group?: RoomGroup | undefined; text?: string | undefined },
): RoomStudent[] {
  const sought = text.trim().toLowerCase();
  const isNamed = ({ username, full_name }: RoomStudent): boolean =>
    `${username}\n${full_name ?? ''}`.toLowerCase().includes(sought);
  const shown = students.filter((student) => (group === undefined || isIn(group, student)) && isNamed(student));
  // The sort is stable: within both parts the order stays.
  return shown.sort((one, other) => Number(needsAttention(other)) - Number(needsAttention(one)));
}
