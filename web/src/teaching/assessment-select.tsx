import { useStrings } from '../strings/use-strings.tsx';
import { type Option, Select } from '../ui/forms/field.tsx';
import type { Subject } from './queries.ts';

const kinds = ['exam', 'laboratory'] as const;

/** A select of exams and laboratories, grouped by kind. */
export function SubjectSelect({
  subjects,
  chosen: { kind, id },
  hasAll = false,
  onChange,
}: {
  subjects: readonly Subject[];
  chosen: { kind: Subject['kind']; id: number | undefined };
  /** Whether there is an option for all of them. */
  hasAll?: boolean;
  onChange: (chosen: Subject | undefined) => void;
}) {
  const t = useStrings();
  const keyOf = (subject: Pick<Subject, 'kind' | 'id'>): string => `${subject.kind}-${subject.id}`;
  const options = kinds.flatMap((group) =>
    subjects
      .filter((subject) => subject.kind === group)
      .map((subject) => ({
        value: keyOf(subject),
        label: subject.is_active ? subject.title : t.teaching.retired(subject.title),
        group: group === 'exam' ? t.teaching.exams : t.teaching.laboratories,
      })),
  );
  const all: Option[] = hasAll ? [{ value: '', label: t.common.all }] : [];
  return (
    <div className="col-span-2 sm:col-span-1">
      <Select
        label={t.teaching.subject}
        value={id === undefined ? '' : keyOf({ kind, id })}
        onChange={({ target }) => onChange(subjects.find((subject) => keyOf(subject) === target.value))}
        options={[...all, ...options]}
      />
    </div>
  );
}
