import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button, IconButton } from '../button.tsx';
import type { Bulk, BulkAction } from './bulk.ts';
import { BulkDialog } from './bulk-dialog.tsx';
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

/** The actions on the selected rows. */
function BulkBar<Row>({
  rows,
  bulk,
  onLeft,
}: {
  rows: readonly Row[];
  bulk: Bulk<Row>;
  /** The rows that stay selected. */
  onLeft: (rows: readonly Row[]) => void;
}) {
  const t = useStrings();
  const [shown, setShown] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>();
  if (rows.length === 0 && !shown) return null;
  return (
    <section
      aria-label={t.teaching.bulk.selected(rows.length)}
      className="absolute inset-x-0 top-1 flex flex-wrap items-center gap-2 rounded-lg border border-accent bg-accent-soft px-3 py-2 text-sm shadow-lg"
    >
      <p role="status" className="mr-auto font-medium tabular-nums">
        {t.teaching.bulk.selected(rows.length)}
      </p>
      {bulk.actions.map((action) => (
        <Button
          key={action.label}
          size="small"
          look={action.isDangerous ? 'danger' : 'plain'}
          aria-haspopup="dialog"
          disabled={!rows.some((row) => action.isFor?.(row) ?? true)}
          onClick={() => setShown({ action, rows })}
        >
          {action.label}
        </Button>
      ))}
      <IconButton label={t.teaching.bulk.clear} onClick={() => onLeft([])}>
        <X size={16} aria-hidden="true" />
      </IconButton>
      {shown && (
        <BulkDialog
          {...shown}
          bulk={bulk}
          onClose={(left) => {
            setShown(undefined);
            if (left) onLeft(left);
          }}
        />
      )}
    </section>
  );
}
