import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { Field, inputClasses } from '../ui/field.tsx';
import { FilterChip, Filters } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { changesOf } from './changes.ts';
import { type ActivityEntry, activityQuery, pageSize, wordOf } from './queries.ts';

const route = getRouteApi('/user/admin/administration/activity');

/** The activity of all users, including administrators. */
export function ActivityPage() {
  const t = useStrings();
  const format = useFormat();
  const { page = 1, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const activity = useQuery(activityQuery(filter, page));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const only = (id: number): void => void navigate({ search: (old) => ({ type: old.type, actor_id: id }) });
  return (
    <Page title={t.common.links.activity} lead={t.administration.activityLead}>
      <ActivityFilters />
      <Fetched query={activity}>
        {({ items, total }) => (
          <>
            {(filter.user_id ?? filter.actor_id) !== undefined && (
              <FilterChip onRemove={() => void navigate({ search: ({ type }) => ({ type }) })}>
                {t.common.onlyUser(nameIn(items, filter))}
              </FilterChip>
            )}
            <PagedList
              page={page}
              pageSize={pageSize}
              total={total}
              isEmpty={items.length === 0}
              none={{
                title: t.administration.noActivityTitle,
                help: isFiltered ? t.administration.noActivityHelp : undefined,
              }}
              onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
              onClear={isFiltered ? () => void navigate({ search: {} }) : undefined}
            >
              <Table
                caption={t.common.links.activity}
                columns={columnsOf(t, format, only)}
                rows={items}
                keyOf={({ id }) => id}
              />
            </PagedList>
          </>
        )}
      </Fetched>
    </Page>
  );
}

function nameIn(
  items: readonly ActivityEntry[],
  filter: { user_id?: number | undefined; actor_id?: number | undefined },
) {
  const name = filter.user_id !== undefined ? items[0]?.username : items[0]?.actor_username;
  return name ?? `#${filter.user_id ?? filter.actor_id}`;
}

function ActivityFilters() {
  const t = useStrings();
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  const types = Object.entries(t.administration.types);
  const group = (isOfAdministrators: boolean) =>
    types
      .filter(([name]) => name.startsWith('admin_') === isOfAdministrators)
      .map(([name, word]) => (
        <option key={name} value={name}>
          {word}
        </option>
      ));
  return (
    <Filters>
      <div className="col-span-2 sm:col-span-1">
        <Field label={t.administration.type}>
          {(control) => (
            <select
              {...control}
              className={classes(inputClasses, 'pr-8')}
              value={type ?? ''}
              onChange={({ target }) =>
                void navigate({ search: (old) => ({ ...old, page: undefined, type: target.value || undefined }) })
              }
            >
              <option value="">{t.common.all}</option>
              <optgroup label={t.administration.typesOfUsers}>{group(false)}</optgroup>
              <optgroup label={t.administration.typesOfAdministrators}>{group(true)}</optgroup>
            </select>
          )}
        </Field>
      </div>
    </Filters>
  );
}

const columnsOf = (
  t: Strings,
  format: ReturnType<typeof useFormat>,
  only: (actorId: number) => void,
): Column<ActivityEntry>[] => [
  {
    title: t.administration.when,
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
