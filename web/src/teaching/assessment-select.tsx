import { useStrings } from '../strings/use-strings.tsx';
import { type Option, Select } from '../ui/forms/field.tsx';
import type { Assessment } from './queries.ts';

const kinds = ['exam', 'laboratory'] as const;

/** A select of exams and laboratories, grouped by kind. */
export function AssessmentSelect({
  assessments,
  chosen: { kind, id },
  hasAll = false,
  onChange,
}: {
  assessments: readonly Assessment[];
  chosen: { kind: Assessment['kind']; id: number | undefined };
  /** Whether there is an option for all of them. */
  hasAll?: boolean;
  onChange: (chosen: Assessment | undefined) => void;
}) {
  const t = useStrings();
  const keyOf = (assessment: Pick<Assessment, 'kind' | 'id'>): string => `${assessment.kind}-${assessment.id}`;
  const options = kinds.flatMap((group) =>
    assessments
      .filter((assessment) => assessment.kind === group)
      .map((assessment) => ({
        value: keyOf(assessment),
        label: assessment.is_active ? assessment.title : t.teaching.retired(assessment.title),
        group: group === 'exam' ? t.teaching.exams : t.teaching.laboratories,
      })),
  );
  const all: Option[] = hasAll ? [{ value: '', label: t.common.all }] : [];
  return (
    <div className="col-span-2 sm:col-span-1">
      <Select
        label={t.teaching.assessment}
        value={id === undefined ? '' : keyOf({ kind, id })}
        onChange={({ target }) => onChange(assessments.find((assessment) => keyOf(assessment) === target.value))}
        options={[...all, ...options]}
      />
    </div>
  );
}
