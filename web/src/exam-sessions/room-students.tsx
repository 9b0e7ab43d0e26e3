import type { useAddress } from '../routing/place-context.ts';
import { useUser } from '../session/use-session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { optionsOf } from '../ui/field.tsx';
import { FilterFields } from '../ui/filters.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { columnsOf } from './room-columns.tsx';
import { isIn, type RoomGroup, roomGroups, studentsIn } from './room-groups.ts';
import type { Room } from './use-room.ts';

export type RoomAddress = ReturnType<typeof useAddress<'/exam-sessions/$sessionId'>>;

/** The students in the room of an exam session, with a search. */
export function RoomStudents({
  room: { session, students },
  isController,
  address: { search, onSearch },
}: {
  room: Room;
  isController: boolean;
  address: RoomAddress;
}) {
  const t = useStrings();
  const format = useFormat();
  const isStaff = useUser().role !== 'student';
  const shown = studentsIn(students, { group: search.group, text: search.q });
  if (students.length === 0) return <Empty title={t.room.nobody} />;
  const numbers = roomGroups.map((group) => [group, students.filter((one) => isIn(group, one)).length] as const);
  const counts = Object.fromEntries(numbers.map(([group, number]) => [group, t.room.group(group, number)])) as Record<
    RoomGroup,
    string
  >;
  return (
    <>
      <ul aria-label={t.room.summary} className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
        {numbers.map(
          ([group, number]) =>
            number > 0 && (
              <li key={group} className={group === 'attention' ? 'font-medium text-warn' : ''}>
                {counts[group]}
              </li>
            ),
        )}
      </ul>
      <FilterFields
        search={search}
        onChange={(next, replace = false) => onSearch({ ...search, ...next }, replace)}
        filters={[
          { text: 'q', label: t.room.search },
          { choice: 'group', label: t.room.show, options: optionsOf(roomGroups, counts) },
        ]}
      />
      {shown.length === 0 ? (
        <Empty title={t.room.nobodyFound} />
      ) : (
        <Table
          caption={t.room.title}
          rows={shown}
          keyOf={({ user_id }) => user_id}
          columns={columnsOf(t, format, { sessionId: session.id, isPaused: session.is_paused, isStaff, isController })}
        />
      )}
    </>
  );
}
