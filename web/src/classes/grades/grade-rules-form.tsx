import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { type ClassGrades, classesKey } from '../../teaching-model/classes.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, optionsOf, Select, TextField } from '../../ui/forms/field.tsx';
import { FormButtons } from '../../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../../ui/forms/form-field.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { titleAmong } from '../class-figures.tsx';

const missingRules = ['zero', 'ignored'] as const;
const counted = ['best', 'last', 'first'] as const;

const valuesOf = ({ rules, subjects }: ClassGrades) => ({
  missing: rules.missing,
  drop_lowest: `${rules.drop_lowest}`,
  passing_percent: `${rules.passing_percent ?? ''}`,
  is_visible: rules.is_visible,
  subjects: subjects.map(({ weight, counted_attempt }) => ({ weight: `${weight}`, counted_attempt })),
});

/** The rules of a grade book, with the weights of its exams and laboratories. A column has its weight in its own form. */
export function GradeRulesForm({ classId, book, onDone }: { classId: number; book: ClassGrades; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.gradeBook;
  const { form, error, onSubmit } = useSentForm(valuesOf(book), async (values) => {
    const body = {
      ...{ missing: values.missing, is_visible: values.is_visible, drop_lowest: Number(values.drop_lowest) },
      passing_percent: values.passing_percent === '' ? null : Number(values.passing_percent),
      subjects: book.subjects.flatMap(({ kind, id }, index) => {
        const { weight = '1', counted_attempt = 'best' as const } = values.subjects[index] ?? {};
        return [{ kind, id, weight: Number(weight), counted_attempt }];
      }),
    };
    await ok(api.PUT('/api/classes/{id}/grade-book', { params: { path: { id: classId } }, body }));
    toasts.done(words.saved);
    await queries.invalidateQueries({ queryKey: classesKey });
    onDone();
  });
  const numbers = { type: 'number', min: 0, className: 'max-w-40' } as const;
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <Select
        label={words.missingRule}
        options={optionsOf(missingRules, words.missingRules)}
        {...fieldOf(form, 'missing')}
      />
      <TextField label={words.dropLowest} required {...numbers} max={100} {...fieldOf(form, 'drop_lowest')} />
      <TextField
        label={words.passingPercent}
        help={words.passingHelp}
        {...numbers}
        max={100}
        step="any"
        {...fieldOf(form, 'passing_percent')}
      />
      <Checkbox label={words.visible} {...form.register('is_visible')} />
      {book.subjects.length > 0 && (
        <fieldset className="flex flex-col gap-3 rounded-md border px-3 py-3">
          <legend className="px-1 text-sm font-medium">{words.weights}</legend>
          <p className="text-sm text-ink-soft">
            {words.weightHelp} {words.countedHelp}
          </p>
          {book.subjects.map((assessment, index) => {
            const title = titleAmong(book.subjects, assessment);
            return (
              <div
                key={assessment.key}
                className="grid grid-cols-[1fr_5rem] items-center gap-2 sm:grid-cols-[1fr_5rem_11rem]"
              >
                <span className="text-sm [overflow-wrap:anywhere]">{title}</span>
                <TextField
                  label={words.weightOfItem(title)}
                  isLabelHidden
                  required
                  {...{ type: 'number', min: 0, max: 1000, step: 'any' }}
                  {...fieldOf(form, `subjects.${index}.weight`)}
                />
                <div className="col-span-2 sm:col-span-1">
                  <Select
                    label={words.countedOfItem(title)}
                    isLabelHidden
                    options={optionsOf(counted, words.counted)}
                    {...fieldOf(form, `subjects.${index}.counted_attempt`)}
                  />
                </div>
              </div>
            );
          })}
        </fieldset>
      )}
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.save}
        </Button>
      </FormButtons>
    </form>
  );
}
