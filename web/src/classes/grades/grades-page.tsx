import { useQuery } from '@tanstack/react-query';
import { ChartColumn, ChartNoAxesColumn } from 'lucide-react';
import { pageSize } from '../../api/list-query.ts';
import { useUser } from '../../api/use-session.ts';
import { useAddress, useParams } from '../../routing/location-context.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import {
  type ClassGrades,
  classQuery,
  type GradesSearch,
  gradesQuery,
  gradesStates,
  mayChange,
} from '../../teaching-model/classes.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { optionsOf } from '../../ui/forms/field.tsx';
import { FilterFields } from '../../ui/lists/filters.tsx';
import { Pages } from '../../ui/lists/pages.tsx';
import { Empty, Fetched } from '../../ui/states.tsx';
import { ClassFigures } from '../class-figures.tsx';
import { GradeActions } from './grade-actions.tsx';
import { GradeExport } from './grade-export.tsx';
import { GradeTable } from './grade-table.tsx';

/** The grade book of a class: students by exams, laboratories and columns. */
export function GradesPage() {
  const t = useStrings();
  const { classId } = useParams('/classes/$classId/grades');
  const { search, onSearch } = useAddress('/classes/$classId/grades');
  const id = Number(classId);
  const params = { classId };
  const user = useUser();
  const { data: of } = useQuery(classQuery(id));
  const query = useQuery(gradesQuery(id, search));
  const canChange = of !== undefined && mayChange(of, user);
  const change = (next: Partial<GradesSearch>, replace = false): void =>
    onSearch({ ...search, page: undefined, ...next }, replace);
  return (
    <ClassFigures
      classId={classId}
      title={t.classes.grades}
      titleOf={t.classes.gradesOf}
      lead={t.classes.gradesLead}
      actions={
        <>
          <ButtonLink look="plain" to="/classes/$classId/progress" params={params}>
            <ChartNoAxesColumn size={16} aria-hidden="true" /> {t.classes.progress}
          </ButtonLink>
          <ButtonLink look="plain" to="/classes/$classId/grades/statistics" params={params}>
            <ChartColumn size={16} aria-hidden="true" /> {t.gradeBook.statistics}
          </ButtonLink>
          <GradeExport classId={id} />
          {canChange && query.data && <GradeActions classId={id} book={query.data} />}
        </>
      }
    >
      <FilterFields
        filters={[
          { text: 'q', label: t.gradeBook.search },
          { choice: 'state', label: t.gradeBook.state, options: optionsOf(gradesStates, t.gradeBook.states) },
        ]}
        search={search}
        onChange={change}
      />
      <Fetched query={query}>
        {(grades) => (
          <>
            {grades.students.length === 0 ? (
              <Empty title={search.q || search.state ? t.common.nothingFits : t.classes.noStudents} />
            ) : (
              <GradeTable classId={id} grades={grades} search={search} onSort={change} mayChange={canChange} />
            )}
            <Rules rules={grades.rules} hasNothing={grades.subjects.length + grades.columns.length === 0} />
            <Pages
              page={search.page ?? 1}
              pageSize={pageSize}
              total={grades.total}
              onChange={(page) => onSearch({ ...search, page }, false)}
            />
          </>
        )}
      </Fetched>
    </ClassFigures>
  );
}

/** The rules of the percentages in words. */
function Rules({ rules, hasNothing }: { rules: ClassGrades['rules']; hasNothing: boolean }) {
  const t = useStrings();
  const format = useFormat();
  const sentences = [
    hasNothing && t.classes.noAssessments,
    t.gradeBook.ruleMissing[rules.missing],
    rules.drop_lowest > 0 && t.gradeBook.ruleDropped(rules.drop_lowest),
    rules.passing_percent !== null && t.gradeBook.rulePassing(format.decimal(rules.passing_percent)),
    t.gradeBook.ruleVisible[`${rules.is_visible}`],
    t.gradeBook.help,
  ];
  return <p className="max-w-prose text-xs text-ink-soft">{sentences.filter((sentence) => sentence).join(' ')}</p>;
}
