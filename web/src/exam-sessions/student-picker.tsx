import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { type Candidate, candidatesQuery } from '../teaching-model/exam-sessions.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { nameOf } from './accommodations/accommodation-options.ts';
import { PastedStudents } from './pasted-students.tsx';

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
                {nameOf(student)} <span className="text-ink-soft">{student.email}</span>
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
