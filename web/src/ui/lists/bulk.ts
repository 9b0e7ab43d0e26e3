import type { Option } from '../forms/field.tsx';

/** A value that an action on several rows needs: one of these options, or a number. */
export type BulkInput = { label: string; first: string } & (
  | { options: readonly Option[] }
  | { min: number; max: number; options?: undefined }
);

/** An action on several rows of a list. The service checks and records the change of each row. */
export type BulkAction<Row> = {
  label: string;
  /** What happens, shown before it does. */
  help: string;
  isDangerous?: boolean;
  /** Rows for which there is no such action are left out. */
  isFor?: (row: Row) => boolean;
  input?: BulkInput;
} & (
  | {
      /** Changes a row by a request of its own. @param value of the input @throws where the service refuses */
      run: (row: Row, value: string) => Promise<unknown>;
      runAll?: undefined;
    }
  /** Changes all rows by one request, or none. @throws where the service refuses */
  | { run?: undefined; runAll: (rows: readonly Row[]) => Promise<unknown> }
);

export type Bulk<Row> = {
  nameOf: (row: Row) => string;
  actions: readonly BulkAction<Row>[];
  /** Loads again what the actions have changed. */
  onDone: () => Promise<unknown>;
};

export type BulkOutcome<Row> = { row: Row; error?: unknown };

/** Requests at once. */
const concurrency = 4;

/** Changes the rows, a few at once. @param onProgress receives how many are done */
export async function runBulk<Row>(
  rows: readonly Row[],
  run: (row: Row) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<BulkOutcome<Row>[]> {
  const outcomes: BulkOutcome<Row>[] = [];
  const waiting = rows.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, row] of waiting) {
      outcomes[index] = await run(row).then(
        () => ({ row }),
        (error: unknown) => ({ row, error }),
      );
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, rows.length) }, work));
  return outcomes;
}
