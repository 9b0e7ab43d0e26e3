import { useStrings } from '../../strings/use-strings.tsx';

/** The selected rows of a table. */
export type Selection<Row> = {
  ids: ReadonlySet<number>;
  onChange: (ids: ReadonlySet<number>) => void;
  idOf: (row: Row) => number;
  /** The name of a row for screen readers. */
  nameOf: (row: Row) => string;
  /** The row that was clicked last, from which a click with Shift selects. */
  last: { current: number | undefined };
};

/** The heading of the column: selects every row of the page, or none. */
export function SelectAll<Row>({
  rows,
  selection: { ids, onChange, idOf },
}: {
  rows: readonly Row[];
  selection: Selection<Row>;
}) {
  const t = useStrings();
  const chosen = rows.filter((row) => ids.has(idOf(row))).length;
  const isAll = rows.length > 0 && chosen === rows.length;
  return (
    <th scope="col" className="w-10 py-1 pl-3 text-left">
      <Box
        label={t.teaching.bulk.selectAll}
        isChecked={isAll}
        isMixed={chosen > 0 && !isAll}
        onChange={() => onChange(new Set(isAll ? [] : rows.map(idOf)))}
      />
    </th>
  );
}

/** Selects a row; with Shift all rows from the last one that was clicked. */
export function SelectRow<Row>({
  row,
  rows,
  selection,
}: {
  row: Row;
  rows: readonly Row[];
  selection: Selection<Row>;
}) {
  const t = useStrings();
  const { ids, onChange, idOf, nameOf, last } = selection;
  const id = idOf(row);
  const change = (withShift: boolean): void => {
    const next = new Set(ids);
    const places = [rows.findIndex((other) => idOf(other) === last.current), rows.indexOf(row)].toSorted(
      (a, b) => a - b,
    );
    const [from = -1, to = -1] = places;
    const range = withShift && from >= 0 ? rows.slice(from, to + 1).map(idOf) : [id];
    for (const one of range) {
      if (ids.has(id)) next.delete(one);
      else next.add(one);
    }
    last.current = id;
    onChange(next);
  };
  return (
    <td className="w-10 pl-3">
      <Box label={t.teaching.bulk.select(nameOf(row))} isChecked={ids.has(id)} onChange={change} />
    </td>
  );
}

const Box = ({
  label,
  isChecked,
  isMixed = false,
  onChange,
}: {
  label: string;
  isChecked: boolean;
  isMixed?: boolean;
  onChange: (withShift: boolean) => void;
}) => (
  <label className="-m-2 inline-flex size-9 cursor-pointer items-center justify-center">
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      ref={(box) => {
        if (box) box.indeterminate = isMixed;
      }}
      onChange={({ nativeEvent }) => onChange(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      className="size-4 accent-accent"
    />
  </label>
);
