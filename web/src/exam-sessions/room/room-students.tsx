import { useUser } from '../../api/use-session.ts';
import type { useAddress } from '../../routing/location-context.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { classes } from '../../ui/classes.ts';
import { FilterFields } from '../../ui/lists/filters.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Empty } from '../../ui/states.tsx';
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
          columns={columnsOf(t, format, { sessionId: session.id, isPaused: session.is_paused, isStaff, isController })}
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
