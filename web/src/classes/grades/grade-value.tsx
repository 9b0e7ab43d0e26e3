import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { type ClassGrades, classesKey, type GradeColumn } from '../../teaching-model/classes.ts';
import { classes } from '../../ui/classes.ts';
import { useToasts } from '../../ui/toasts.tsx';
import { Dropped, Missing } from './grade-result.tsx';

type Props = {
  classId: number;
  column: GradeColumn;
  student: ClassGrades['students'][number];
  value: number | null;
  isDropped: boolean;
};

/** The value of a student in a column of the grade book. Those who may change it type it in. */
export function GradeValue({ mayChange, ...props }: Props & { mayChange: boolean }) {
  const format = useFormat();
  const { value, isDropped } = props;
  if (mayChange) return <ValueField {...props} />;
  if (value === null) return <Missing isDropped={isDropped} />;
  return (
    <>
      <span className={classes('tabular-nums', isDropped && 'line-through')}>{format.decimal(value)}</span>
      <Dropped isDropped={isDropped} />
    </>
  );
}

/** Undefined for what is no value of the column; null for an empty field. */
export function readValue(text: string, max: number): number | null | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const value = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return value <= max ? value : undefined;
}

/** Saves on Enter and when the focus leaves. Escape restores the saved value. */
function ValueField({ classId, column, student, value, isDropped }: Props) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const shown = value === null ? '' : `${value}`;
  const [text, setText] = useState(shown);
  // The value can change by an import, or be rounded.
  useEffect(() => setText(shown), [shown]);
  const next = readValue(text, column.max_score);
  const { mutate } = useMutation({
    mutationFn: (body: { value: number | null }) => {
      const path = { id: classId, column_id: column.id, user_id: student.user_id };
      return ok(api.PUT('/api/classes/{id}/grade-columns/{column_id}/values/{user_id}', { params: { path }, body }));
    },
    onSuccess: async () => await queries.invalidateQueries({ queryKey: [...classesKey, 'grades', classId] }),
    onError: toasts.failed,
  });
  const save = (): void => {
    if (next === undefined) toasts.warn(words.wrongValue(format.decimal(column.max_score)));
    else if (next !== value) mutate({ value: next });
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Enter') save();
    if (key === 'Escape') setText(shown);
  };
  return (
    <>
      <input
        aria-label={words.valueOf(column.name, student.full_name || student.username)}
        aria-invalid={next === undefined || undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        placeholder="–"
        className={classes(
          'min-h-8 w-16 rounded-md border border-line-strong bg-surface px-2 text-sm tabular-nums aria-invalid:border-bad',
          isDropped && 'line-through',
        )}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
      />
      <Dropped isDropped={isDropped} />
    </>
  );
}
