import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Option } from '../ui/forms/field.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { type ActivityEntry, activityQuery, wordOf } from './queries.ts';

/** The activity of all users, administrators included. */
export function ActivityPage() {
  const t = useStrings();
  const format = useFormat();
  const { search, onSearch } = useAddress('/administration/activity');
  const { user_id, actor_id, type, sort, order } = search;
  const only = (id: number): void => onSearch({ type, actor_id: id, sort, order }, false);
  return (
    <ListPage
      title={t.common.links.activity}
      lead={t.administration.activityLead}
      search={search}
      onSearch={onSearch}
      query={useQuery(activityQuery(search))}
      filters={[{ choice: 'type', label: t.administration.type, options: typeOptions(t), isWide: true }]}
      chip={{
        names: ['user_id', 'actor_id'],
        text: (first) => {
          const name = user_id === undefined ? first?.actor_username : first?.username;
          return t.teaching.onlyUser(name ?? `#${user_id ?? actor_id}`);
        },
      }}
      usual={{ sort: 'created_at', order: 'desc' }}
      empty={{ title: t.administration.noActivityTitle }}
      columns={activityColumns(t, format, only)}
    />
  );
}

const typeOptions = (t: Strings): Option[] =>
  Object.entries(t.administration.types).map(([value, label]) => ({
    value,
    label,
    group: value.startsWith('admin_') ? t.administration.typesOfAdministrators : t.administration.typesOfUsers,
  }));

export const activityColumns = (
  t: Strings,
  format: ReturnType<typeof useFormat>,
  only: (actorId: number) => void,
): Column<ActivityEntry>[] => [
  {
    title: t.administration.when,
    sort: 'created_at',
    firstOrder: 'desc',
    cell: ({ created_at }) => (
      <time dateTime={created_at} title={format.ago(created_at)} className="sm:whitespace-nowrap">
        {format.time(created_at)}
      </time>
    ),
  },
  {
    title: t.administration.who,
    cell: ({ actor_id, actor_username }) =>
      actor_id === null ? (
        <span className="text-ink-soft">{t.administration.system}</span>
      ) : (
        <button type="button" className="text-left text-accent hover:underline" onClick={() => only(actor_id)}>
          {actor_username ?? t.administration.gone}
        </button>
      ),
  },
  { title: t.administration.what, cell: ({ type }) => wordOf(t.administration.types, type) },
  {
    title: t.administration.concerns,
    cell: ({ title, username, actor_username }) => (
      <>
        <span className="block break-words">{title}</span>
        {username && username !== actor_username && username !== title && (
          <span className="block text-xs text-ink-soft">{username}</span>
        )}
      </>
    ),
  },
  {
    title: t.administration.changes,
    isMinor: true,
    cell: ({ details }) => (
      <ul className="max-w-80 text-xs text-ink-soft">
        {changesOf(details, { t, format }).map(({ name, text }) => (
          <li key={name} className="break-words">
            <span className="font-medium">{name}</span>: {text}
          </li>
        ))}
      </ul>
    ),
  },
];

type Spoken = { t: Strings; format: ReturnType<typeof useFormat> };

/** Longer values are not useful in a table. */
const longest = 60;

/**
 * The changes of an administrative action, field by field, from the `old` and `new` values in an entry's `details`; or how many of each kind
 * it has removed.
 */
function changesOf(details: object | null, spoken: Spoken): { name: string; text: string }[] {
  const { old, new: next, removed } = (details ?? {}) as Record<string, unknown>;
  if (isRecord(removed))
    return Object.entries(removed).map(([name, count]) => ({
      name: wordOf(spoken.t.administration.fields, name),
      text: `${count}`,
    }));
  // Creating or deleting a whole item is not a change of its fields.
  if (!isRecord(old) || !isRecord(next)) return [];
  const { administration } = spoken.t;
  return Object.keys(next).map((name) => ({
    name: wordOf(administration.fields, name),
    text: administration.from(shown(name, old[name], spoken), shown(name, next[name], spoken)),
  }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function shown(name: string, value: unknown, { t, format }: Spoken): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (typeof value !== 'string' && typeof value !== 'number') return '…';
  const text = `${value}`;
  if (name === 'role') return wordOf(t.common.roles, text);
  if (name.endsWith('_at') && !Number.isNaN(Date.parse(text))) return format.time(text);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
