import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ListSearch, pageSize } from '../../api/list-query.ts';
import { isRefusal, type Page as PageOf } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../button.tsx';
import { Page } from '../page.tsx';
import { Empty, Fetched } from '../states.tsx';
import type { Bulk } from './bulk.ts';
import { DensityButton } from './density-button.tsx';
import { type Filter, FilterChip, FilterFields, filterNames } from './filters.tsx';
import { Pages } from './pages.tsx';
import { SelectableTable } from './selectable-table.tsx';
import type { Column } from './table.tsx';

/** A table with these columns, or a list of another form. */
type ListContent<Row, Data> =
  | { columns: readonly Column<Row>[]; bulk?: Bulk<Row> | undefined }
  | { children: (data: Data) => ReactNode };

type ListProps<Row extends { id: number }, Search extends ListSearch, Data extends PageOf<Row>> = {
  /** The list's accessible description. */
  caption: string;
  search: Search;
  /** Puts other filters or another page number into the URL. */
  onSearch: (search: Search, replace: boolean) => void;
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  filters?: readonly Filter<Search>[];
  /** A filter without a field, set by a link: its URL parameters, and its text. */
  chip?: { names: readonly (keyof Search)[]; text: (first: Row | undefined) => string };
  /** The order where the URL has none, by the name of a column's `sort`. */
  usual?: { sort: string; order: 'asc' | 'desc' };
  /** Shown where the list is empty and no filter is set. */
  empty: { title: string; help?: string; action?: ReactNode };
  skeleton?: ReactNode;
  /** See ui/lists/table.tsx. */
  kind?: string;
} & ListContent<Row, Data>;

/** A page that contains only a list: see `List`. */
export function ListPage<Row extends { id: number }, Search extends ListSearch, Data extends PageOf<Row>>({
  title,
  crumbs,
  lead,
  actions,
  note,
  ...list
}: Omit<ListProps<Row, Search, Data>, 'caption'> & {
  title: string;
  /** See ui/crumbs.tsx. */
  crumbs?: ReactNode;
  lead: string;
  actions?: ReactNode;
  /** Shown above the list. */
  note?: ReactNode;
} & ListContent<Row, Data>) {
  const isTable = 'columns' in list && (list.query.data?.items.length ?? 0) > 0;
  return (
    <Page
      title={title}
      crumbs={crumbs}
      lead={lead}
      actions={
        <>
          {isTable && <DensityButton />}
          {actions}
        </>
      }
    >
      {note}
      <List caption={title} {...list} />
    </Page>
  );
}

/** A long list. Filters and the page number are in the URL, so that a reload and the back button keep them. */
export function List<Row extends { id: number }, Search extends ListSearch, Data extends PageOf<Row>>({
  caption,
  search,
  onSearch,
  query,
  filters = [],
  chip,
  usual,
  empty,
  skeleton,
  kind,
  ...content
}: ListProps<Row, Search, Data>) {
  const t = useStrings();
  const change = (next: Partial<Search>, replace = false): void =>
    onSearch({ ...search, page: undefined, ...next }, replace);
  const without = (names: readonly (keyof Search)[]): void => change(absent(names));
  const narrowing = [...filterNames(filters), ...(chip?.names ?? [])];
  const isSet = (name: keyof Search): boolean => search[name] !== undefined;
  return (
    <>
      {filters.length > 0 && <FilterFields filters={filters} search={search} onChange={change} />}
      {isRefusal(query.error, 'too_long_to_sort') && (
        <Button className="self-start" onClick={() => change({ sort: undefined, order: undefined } as Partial<Search>)}>
          {t.teaching.usualOrder}
        </Button>
      )}
      <Fetched query={query} skeleton={skeleton}>
        {(data) => (
          <>
            {chip?.names.some(isSet) && (
              <FilterChip onRemove={() => without(chip.names)}>{chip.text(data.items[0])}</FilterChip>
            )}
            {data.items.length > 0 ? (
              'columns' in content ? (
                <SelectableTable
                  {...{ caption, columns: content.columns, rows: data.items, bulk: content.bulk, kind }}
                  order={{
                    sort: search.sort ?? usual?.sort,
                    order: search.order ?? (search.sort === undefined ? (usual?.order ?? 'asc') : 'asc'),
                    onSort: (sort, order) => change({ sort, order } as Partial<Search>),
                  }}
                />
              ) : (
                content.children(data)
              )
            ) : narrowing.some(isSet) ? (
              <Empty
                title={t.search.nothingFits}
                action={<Button onClick={() => without(narrowing)}>{t.search.clearFilters}</Button>}
              />
            ) : (
              <Empty title={empty.title} action={empty.action}>
                {empty.help}
              </Empty>
            )}
            <Pages
              page={search.page ?? 1}
              pageSize={pageSize}
              total={data.total}
              isMinimum={data.isMinimum}
              hasNext={data.hasNext}
              onChange={(page) => onSearch({ ...search, page }, false)}
            />
          </>
        )}
      </Fetched>
    </>
  );
}

const absent = <Search,>(names: readonly (keyof Search)[]): Partial<Search> =>
  Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Search>;
