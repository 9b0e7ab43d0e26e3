import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Candidate, candidatesQuery, type NameProblem } from '../teaching-model/exam-sessions.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Email } from '../ui/email.tsx';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { nameOf } from './accommodations/accommodation-options.ts';

/** Milliseconds without a key after which the service is asked. */
const pause = 200;

/** Chooses students: by a search, and from a list of usernames and addresses. It can be within a form. */
export function StudentPicker({
  chosen,
  onAdd,
  onRemove,
}: {
  chosen: readonly Candidate[];
  onAdd: (students: readonly Candidate[]) => void;
  onRemove?: (userId: number) => void;
}) {
  const t = useStrings();
  const words = t.examSessions.choosing;
  return (
    <div className="flex flex-col gap-4">
      <FoundStudents chosen={chosen} onAdd={onAdd} />
      <PastedStudents onAdd={onAdd} />
      {onRemove && (
        <section aria-label={words.chosen} className="flex flex-col gap-2">
          <p role="status" className="text-sm font-medium">
            {words.count(chosen.length)}
          </p>
          {chosen.length > 0 && (
            <ul className="flex max-h-64 flex-col overflow-y-auto rounded-md border text-sm">
              {chosen.map((student) => (
                <li key={student.user_id} className="flex items-center justify-between gap-2 px-3 py-1">
                  <span className="min-w-0 [overflow-wrap:anywhere]">{nameOf(student)}</span>
                  <IconButton label={words.remove(nameOf(student))} onClick={() => onRemove(student.user_id)}>
                    <X size={16} aria-hidden="true" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </div>
  );
}

function FoundStudents({
  chosen,
  onAdd,
}: {
  chosen: readonly Candidate[];
  onAdd: (students: readonly Candidate[]) => void;
}) {
  const t = useStrings();
  const words = t.examSessions.choosing;
  const [text, setText] = useState('');
  const asked = useDebounced(text.trim(), pause);
  const query = useQuery(candidatesQuery(asked));
  const found = query.data?.filter(({ user_id }) => !chosen.some((one) => one.user_id === user_id)) ?? [];
  const isFound = asked !== '' && query.data !== undefined;
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={words.search}
        isLabelHidden={false}
        required={false}
        type="search"
        help={words.searchHelp}
        maxLength={200}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        // Enter would send the form around it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {query.error && <ProblemNote error={query.error} retry={() => void query.refetch()} />}
      <p role="status" className={found.length > 0 ? 'sr-only' : 'text-sm text-ink-soft'}>
        {isFound ? words.found(found.length) : ''}
      </p>
      {isFound && found.length > 0 && (
        <ul className="flex max-h-64 flex-col overflow-y-auto rounded-md border text-sm">
          {found.map((student) => (
            <li key={student.user_id} className="flex items-center justify-between gap-2 px-3 py-1">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {nameOf(student)}{' '}
                <span className="text-ink-soft">
                  <Email of={student.email} />
                </span>
              </span>
              <Button size="small" aria-label={words.addOne(nameOf(student))} onClick={() => onAdd([student])}>
                <Plus size={16} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Refused = { name: string; problem: NameProblem };

/** Adds the students of a pasted list. The names that cannot be chosen stay in the field, with their problems. */
function PastedStudents({ onAdd }: { onAdd: (students: readonly Candidate[]) => void }) {
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
