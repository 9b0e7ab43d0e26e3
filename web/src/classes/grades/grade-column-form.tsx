import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { isRefusal, ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { classesKey, type GradeColumn } from '../../teaching-model/classes.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { useSentForm } from '../../ui/forms/form-field.ts';
import { SentForm } from '../../ui/forms/sent-form.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** The fields of a new column of the grade book, or of an existing one. */
export function GradeColumnForm({
  classId: id,
  given,
  onDone,
}: {
  classId: number;
  given?: GradeColumn;
  onDone: () => void;
}) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.gradeBook;
  const { name = '', max_score = 100, weight = 1 } = given ?? {};
  const values = { name, max_score: `${max_score}`, weight: `${weight}` };
  const sent = useSentForm(values, async (sent) => {
    const body = { name: sent.name.trim(), max_score: Number(sent.max_score), weight: Number(sent.weight) };
    const request = given
      ? api.PUT('/api/classes/{id}/grade-columns/{column_id}', {
          params: { path: { id, column_id: given.id } },
          body,
        })
      : api.POST('/api/classes/{id}/grade-columns', { params: { path: { id } }, body });
    const saved = await ok<GradeColumn | { name: string }>(request).catch((problem: unknown) => {
      const [field, code] = isRefusal(problem, 'column_name_taken')
        ? (['name', 'column_name_taken'] as const)
        : (['max_score', 'values_above_maximum'] as const);
      if (!isRefusal(problem, code)) throw problem;
      form.setError(field, { type: 'refused', message: t.refusals[code] });
      return undefined;
    });
    if (!saved) return;
    toasts.done(given ? words.saved : words.columnCreated(saved.name));
    await queries.invalidateQueries({ queryKey: [...classesKey, 'grades', id] });
    onDone();
  });
  const { form, field } = sent;
  const numbers = { type: 'number', min: 0, step: 'any', required: true, className: 'max-w-40' } as const;
  return (
    <SentForm sent={sent} action={given ? t.common.save : t.common.create}>
      <TextField label={words.columnName} required maxLength={200} {...field('name')} />
      <TextField label={words.maximum} {...numbers} max={100_000} {...field('max_score')} />
      <TextField label={words.weight} help={words.weightHelp} {...numbers} max={1000} {...field('weight')} />
    </SentForm>
  );
}
