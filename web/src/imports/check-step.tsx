import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Problem } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { type ImportCheck, problemOf, type Reading, readingOf, sendTable } from './import-calls.ts';
import type { ImportKind } from './import-kind.ts';
import { ImportProblems } from './import-problems.tsx';
import { LeftOutLines, UsernameChoice } from './roster-notes.tsx';

/** Shows how a file was read, its problems and what the import will do. Another choice checks it again. */
export function CheckStep<Result>({
  kind: { path, query = {}, texts, changes },
  file,
  check,
  onChecked,
  onBack,
  onDone,
}: {
  kind: ImportKind<Result>;
  file: Blob;
  check: ImportCheck;
  onChecked: (checked: { file: Blob; check: ImportCheck }) => void;
  onBack: () => void;
  onDone: (result: Result) => void;
}) {
  const t = useStrings();
  const queries = useQueryClient();
  const again = useMutation({
    mutationFn: (reading: Reading) => sendTable<ImportCheck>(`${path}/check`, file, { ...query, ...reading }),
    onSuccess: (next) => onChecked({ file, check: next }),
  });
  const send = useMutation({
    mutationFn: () => sendTable<Result>(path, file, { ...query, ...readingOf(check) }),
    onSuccess: async (result) => {
      onDone(result);
      await queries.invalidateQueries({ queryKey: changes });
    },
  });
  const refused = send.error instanceof Problem ? send.error.items.map(problemOf) : [];
  const error = again.error ?? (refused.length === 0 ? send.error : undefined);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <ColumnChoice check={check} isBusy={again.isPending || send.isPending} onChange={again.mutate} />
      {check.usernames && (
        <UsernameChoice
          usernames={check.usernames}
          isBusy={again.isPending || send.isPending}
          onChange={(usernames) => again.mutate({ ...readingOf(check), usernames })}
        />
      )}
      {check.left_out.length > 0 && <LeftOutLines lines={check.left_out} />}
      {check.problem_count > 0 ? (
        <ImportProblems problems={check.problems} count={check.problem_count} />
      ) : (
        refused.length > 0 && <ImportProblems problems={refused} count={refused.length} />
      )}
      {check.problem_count === 0 && <Outcomes outcomes={check.outcomes} />}
      {error && <ProblemNote error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>{t.imports.back}</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={send.isPending}
          disabled={check.problem_count > 0 || again.isPending}
        >
          {texts.action}
        </Button>
      </div>
    </form>
  );
}

/** What the import will do. */
function Outcomes({ outcomes }: { outcomes: ImportCheck['outcomes'] }) {
  const t = useStrings();
  const texts: Readonly<Record<string, (count: number) => string>> = t.imports.outcomes;
  const shown = Object.entries(outcomes as Record<string, number>).filter(([, count]) => count > 0);
  return (
    <ul role="status" className="list-inside list-disc text-sm">
      {shown.map(([name, count]) => (
        <li key={name}>{texts[name]?.(count)}</li>
      ))}
      {shown.length === 0 && <li>{t.imports.nothing}</li>}
    </ul>
  );
}
