import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import type { Candidate, NameProblem } from '../teaching-model/exam-sessions.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

type Refused = { name: string; problem: NameProblem };

/** Adds the students of a pasted list. The names that cannot be chosen stay in the field, with their problems. */
export function PastedStudents({ onAdd }: { onAdd: (students: readonly Candidate[]) => void }) {
  const t = useStrings();
  const words = t.examSessions.choosing;
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const names = text.split(/[\s,;]+/).filter((name) => name !== '');
  const add = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const { students, problems } = await ok(api.POST('/api/exam-sessions/candidates', { body: { names } }));
      onAdd(students);
      const left = problems.map(({ index, problem }) => ({ name: names[index] ?? '', problem }));
      setRefused(left);
      setText(
        left
          .filter(({ problem }) => problem !== 'repeated')
          .map(({ name }) => name)
          .join('\n'),
      );
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label={words.list}
        help={words.listHelp}
        rows={3}
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {error !== undefined && <ProblemNote error={error} />}
      {refused.length > 0 && (
        <div role="alert">
          <ul className="flex max-h-40 flex-col overflow-y-auto text-sm text-bad">
            {refused.map(({ name, problem }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a name can be in the list twice
              <li key={index} className="[overflow-wrap:anywhere]">
                {words.problems[problem](name)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex justify-end">
        <Button disabled={names.length === 0} isBusy={isBusy} onClick={() => void add()}>
          {words.addList}
        </Button>
      </div>
    </div>
  );
}
