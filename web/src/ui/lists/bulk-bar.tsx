import { X } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button, IconButton } from '../button.tsx';
import type { Bulk, BulkAction } from './bulk.ts';
import { BulkDialog } from './bulk-dialog.tsx';

/** The actions on the selected rows. */
export function BulkBar<Row>({
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
