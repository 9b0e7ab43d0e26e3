import { useQuery } from '@tanstack/react-query';
import { useStrings } from '../strings/use-strings.tsx';
import { type Option, Select } from '../ui/forms/field.tsx';
import { type Assessment, assessmentsQuery } from './queries.ts';

const kinds = ['exam', 'laboratory'] as const;

/** A select of exams and laboratories, grouped by kind. */
export function AssessmentSelect({
  assessments,
  chosen: { kind, id },
  none,
  onChange,
}: {
  assessments: readonly Assessment[];
  chosen: { kind: Assessment['kind']; id: number | undefined };
  /** The name of the option that chooses none, if there is one. */
  none?: string | undefined;
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
  const first: Option[] = none === undefined ? [] : [{ value: '', label: none }];
  return (
    <div className="col-span-2 sm:col-span-1">
      <Select
        label={t.teaching.assessment}
        value={id === undefined ? '' : keyOf({ kind, id })}
        onChange={({ target }) => onChange(assessments.find((assessment) => keyOf(assessment) === target.value))}
        options={[...first, ...options]}
      />
    </div>
  );
}

type OfAssessment = Record<'exam_id' | 'laboratory_id', number | undefined>;

/** The filter of a list by one exam or laboratory. */
export function AssessmentFilter({
  search: { exam_id, laboratory_id },
  onChange,
}: {
  search: Partial<OfAssessment>;
  onChange: (chosen: OfAssessment) => void;
}) {
  const { common } = useStrings();
  const { data: assessments = [] } = useQuery(assessmentsQuery);
  return (
    <AssessmentSelect
      none={common.all}
      assessments={assessments}
      chosen={{ kind: exam_id === undefined ? 'laboratory' : 'exam', id: exam_id ?? laboratory_id }}
      onChange={(next) =>
        onChange({
          exam_id: next?.kind === 'exam' ? next.id : undefined,
          laboratory_id: next?.kind === 'laboratory' ? next.id : undefined,
        })
      }
    />
  );
}
