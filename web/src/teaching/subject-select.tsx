import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { Field, inputClasses } from '../ui/field.tsx';
import type { Subject } from './queries.ts';

type Chosen = Pick<Subject, 'kind' | 'id'>;
const kinds = ['exam', 'laboratory'] as const;

/** A select of exams and laboratories, grouped by kind. */
export function SubjectSelect({
  subjects,
  chosen,
  hasAll = false,
  onChange,
}: {
  subjects: readonly Subject[];
  chosen: Chosen | undefined;
  /** Whether there is an option for all of them. */
  hasAll?: boolean;
  onChange: (chosen: Chosen | undefined) => void;
}) {
  const t = useStrings();
  const keyOf = ({ kind, id }: Chosen): string => `${kind}-${id}`;
  return (
    <Field label={t.teaching.subject}>
      {(control) => (
        <select
          {...control}
          className={classes(inputClasses, 'pr-8')}
          value={chosen ? keyOf(chosen) : ''}
          onChange={({ target }) => onChange(subjects.find((subject) => keyOf(subject) === target.value))}
        >
          {hasAll && <option value="">{t.common.all}</option>}
          {kinds.map((kind) => {
            const some = subjects.filter((subject) => subject.kind === kind);
            if (some.length === 0) return null;
            return (
              <optgroup key={kind} label={kind === 'exam' ? t.teaching.exams : t.teaching.laboratories}>
                {some.map((subject) => (
                  <option key={subject.id} value={keyOf(subject)}>
                    {subject.is_active ? subject.title : t.teaching.retired(subject.title)}
                  </option>
                ))}
              </optgroup>
            );
          })}
        </select>
      )}
    </Field>
  );
}
