import { useRef, useState } from 'react';
import type { Bulk } from './bulk.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type Column, Table, type TableOrder } from './table.tsx';

const none: ReadonlySet<number> = new Set();

/** A page of a list, whose rows can be selected where there are actions on several of them. */
export function SelectableTable<Row extends { id: number }>({
  caption,
  columns,
  rows,
  order,
  bulk,
  kind,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  order: TableOrder;
  bulk: Bulk<Row> | undefined;
  /** See `Table`. */
  kind?: string | undefined;
}) {
  const [ids, setIds] = useState(none);
  const last = useRef<number>(undefined);
  const table = { caption, columns, rows, order, kind, keyOf: ({ id }: Row) => id };
  if (!bulk) return <Table {...table} />;
  const { nameOf } = bulk;
  // Rows of other pages are not selected: nobody changes what is not in sight.
  const selected = rows.filter(({ id }) => ids.has(id));
  const selection = { ids, onChange: setIds, idOf: ({ id }: Row) => id, nameOf, last };
  return (
    <>
      <Table {...table} selection={selection} />
      {/* It takes no room, so that no row moves: it hangs below the rows, at the latest above the edge of the window. */}
      <div className="sticky bottom-16 z-10 h-0">
        <BulkBar rows={selected} bulk={bulk} onLeft={(left) => setIds(new Set(left.map(({ id }) => id)))} />
      </div>
    </>
  );
}
