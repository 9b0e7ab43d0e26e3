import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ImportProblems, sendCsv } from '../administration/import-form.tsx';
import type { Answer } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Field, inputClasses, TextArea } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { classesKey, type GradeColumn } from './queries.ts';

type Imported = Answer<'/api/classes/{id}/grade-columns/import', 'post'>;

/** Imports values of the columns of a grade book from a file. Problems are listed by line. */
export function GradeImportForm({
  classId,
  columns,
  onDone,
}: {
  classId: number;
  columns: readonly GradeColumn[];
  onDone: () => void;
}) {
  const t = useStrings();
  const words = t.gradeBook;
  const toasts = useToasts();
  const queries = useQueryClient();
  const [given, setGiven] = useState('');
  const send = useMutation({
    mutationFn: () => sendCsv<Imported>(`/api/classes/${classId}/grade-columns/import`, given),
    onSuccess: async ({ changed }) => {
      toasts.done(words.imported(changed));
      onDone();
      await queries.invalidateQueries({ queryKey: [...classesKey, 'grades', classId] });
    },
  });
  const items = send.error instanceof Problem ? send.error.items : [];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Field label={t.administration.importFile} help={words.importHelp}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,text/csv"
            className={inputClasses}
            onChange={({ target }) => void target.files?.[0]?.text().then(setGiven)}
          />
        )}
      </Field>
      <TextArea
        label={words.importText}
        required
        rows={7}
        className="font-mono"
        spellCheck={false}
        placeholder={`username,${columns[0]?.name ?? ''}\nanna,7`}
        value={given}
        onChange={({ target }) => setGiven(target.value)}
      />
      {items.length > 0 ? <ImportProblems items={items} /> : send.error && <ProblemNote error={send.error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={send.isPending}>
          {words.importNow}
        </Button>
      </div>
    </form>
  );
}
