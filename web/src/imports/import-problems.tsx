import { useStrings } from '../strings/use-strings.tsx';
import { Table } from '../ui/lists/table.tsx';
import type { ListedProblem } from './import-calls.ts';
import { fieldName, problemText } from './problem-text.ts';

/** The problems of a file, by line. */
export function ImportProblems({ problems, count }: { problems: readonly ListedProblem[]; count: number }) {
  const t = useStrings();
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p className="text-sm font-medium text-bad">{t.imports.problemCount(count)}</p>
      <div className="max-h-72 overflow-y-auto">
        <Table
          caption={t.imports.problem}
          rows={problems.map((problem, index) => ({ ...problem, index }))}
          keyOf={({ index }) => index}
          columns={[
            { title: t.imports.line, isNumber: true, cell: ({ line }) => line },
            { title: t.imports.column, cell: ({ column }) => (column === null ? '' : fieldName(t, column)) },
            { title: t.imports.problem, cell: (problem) => problemText(t, problem) },
          ]}
        />
      </div>
      {count > problems.length && <p className="text-sm text-ink-soft">{t.imports.more(count - problems.length)}</p>}
    </div>
  );
}
