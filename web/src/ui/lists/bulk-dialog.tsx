import { CircleCheckBig, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Select, TextField } from '../forms/field.tsx';
import { useProblemText } from '../problem-note.tsx';
import { type Bulk, type BulkAction, type BulkOutcome, runBulk } from './bulk.ts';

/** Names that are shown before the action. */
const maxNames = 10;

/** Counts and names the rows, runs the action on each, and shows what became of each. */
export function BulkDialog<Row>({
  action,
  rows,
  bulk,
  onClose,
}: {
  action: BulkAction<Row>;
  rows: readonly Row[];
  bulk: Bulk<Row>;
  /** The rows that were not changed, if it ran. */
  onClose: (left?: readonly Row[]) => void;
}) {
  const t = useStrings();
  const chosen = rows.filter((row) => action.isFor?.(row) ?? true);
  const [value, setValue] = useState(action.input?.first ?? '');
  const [done, setDone] = useState<number>();
  const [outcomes, setOutcomes] = useState<BulkOutcome<Row>[]>();
  const run = async (): Promise<void> => {
    setDone(0);
    const all = action.runAll?.(chosen);
    setOutcomes(await runBulk(chosen, async (row) => await (all ?? action.run?.(row, value)), setDone));
  };
  const close = (): void => {
    if (!outcomes) {
      if (done === undefined) onClose();
      return;
    }
    onClose(outcomes.filter((outcome) => 'error' in outcome).map(({ row }) => row));
    // Not before: a list without its rows would take this dialog away.
    void bulk.onDone();
  };
  return (
    <Dialog
      title={t.teaching.bulk.title(action.label, chosen.length)}
      {...(outcomes ? {} : { description: action.help })}
      isOpen
      onOpenChange={close}
    >
      {outcomes ? (
        <Outcomes outcomes={outcomes} nameOf={bulk.nameOf} onClose={close} />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          {chosen.length < rows.length && (
            <p className="text-sm text-ink-soft">{t.teaching.bulk.skipped(rows.length - chosen.length)}</p>
          )}
          <ul className="list-disc pl-5 text-sm [overflow-wrap:anywhere]">
            {chosen.slice(0, maxNames).map((row) => (
              <li key={bulk.nameOf(row)}>{bulk.nameOf(row)}</li>
            ))}
            {chosen.length > maxNames && <li>{t.teaching.bulk.others(chosen.length - maxNames)}</li>}
          </ul>
          <Input of={action} value={value} onChange={setValue} />
          <div className="flex items-center justify-end gap-2">
            {done !== undefined && (
              <p role="status" className="mr-auto text-sm text-ink-soft tabular-nums">
                {t.teaching.bulk.running(done, chosen.length)}
              </p>
            )}
            <Button disabled={done !== undefined} onClick={close}>
              {t.common.cancel}
            </Button>
            <Button type="submit" look={action.isDangerous ? 'danger' : 'primary'} isBusy={done !== undefined}>
              {t.teaching.bulk.run(chosen.length)}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Input<Row>({
  of: { input },
  value,
  onChange,
}: {
  of: BulkAction<Row>;
  value: string;
  onChange: (value: string) => void;
}) {
  if (!input) return null;
  const { label, options } = input;
  const control = { label, value, required: true };
  if (options) return <Select {...control} options={options} onChange={({ target }) => onChange(target.value)} />;
  const { min, max } = input;
  return <TextField {...control} type="number" {...{ min, max }} onChange={({ target }) => onChange(target.value)} />;
}

function Outcomes<Row>({
  outcomes,
  nameOf,
  onClose,
}: {
  outcomes: readonly BulkOutcome<Row>[];
  nameOf: (row: Row) => string;
  onClose: () => void;
}) {
  const t = useStrings();
  const problemText = useProblemText();
  const failed = outcomes.filter((outcome) => 'error' in outcome).length;
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-sm font-medium">
        {t.teaching.bulk.result(outcomes.length - failed, outcomes.length)}
      </p>
      <ul className="flex max-h-80 flex-col gap-1.5 overflow-y-auto text-sm">
        {outcomes.map((outcome) => {
          const hasFailed = 'error' in outcome;
          const Icon = hasFailed ? CircleX : CircleCheckBig;
          return (
            <li key={nameOf(outcome.row)} className="flex gap-2 [overflow-wrap:anywhere]">
              <Icon
                size={16}
                aria-hidden="true"
                className={`mt-0.5 shrink-0 ${hasFailed ? 'text-bad' : 'text-good'}`}
              />
              <span>
                {nameOf(outcome.row)}
                {hasFailed && <span className="block text-bad">{problemText(outcome.error)}</span>}
              </span>
            </li>
          );
        })}
      </ul>
      {failed > 0 && <p className="text-sm text-ink-soft">{t.teaching.bulk.failed}</p>}
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          {t.common.close}
        </Button>
      </div>
    </div>
  );
}
