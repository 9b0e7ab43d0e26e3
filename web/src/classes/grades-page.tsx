import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn } from 'lucide-react';
import { pageSize } from '../api/list-query.ts';
import { Link } from '../routing/link.tsx';
import { useAddress, useParams } from '../routing/place-context.ts';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Pages } from '../ui/pages.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { ClassFigures, studentCell, Tries, titleAmong } from './class-figures.tsx';
import { type ClassGrades, gradesQuery } from './queries.ts';

/** The grades of a class: students by exams and laboratories. */
export function GradesPage() {
  const t = useStrings();
  const { classId } = useParams('/classes/$classId/grades');
  const { search, onSearch } = useAddress('/classes/$classId/grades');
  const id = Number(classId);
  return (
    <ClassFigures
      classId={classId}
      title={t.classes.grades}
      titleOf={t.classes.gradesOf}
      lead={t.classes.gradesLead}
      actions={
        <>
          <ButtonLink look="plain" to="/classes/$classId/progress" params={{ classId }}>
            <ChartNoAxesColumn size={16} aria-hidden="true" /> {t.classes.progress}
          </ButtonLink>
          <DownloadButton label={t.classes.csv} path={`/api/classes/${id}/grades`} type="text/csv" />
        </>
      }
    >
      <Fetched query={useQuery(gradesQuery(id, search))}>
        {(grades) => (
          <>
            <Students grades={grades} />
            <p className="text-xs text-ink-soft">
              {grades.subjects.length === 0 ? t.classes.noSubjects : t.classes.gradesHelp}
            </p>
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

type Student = ClassGrades['students'][number];

function Students({ grades: { students, subjects, max_score } }: { grades: ClassGrades }) {
  const t = useStrings();
  if (students.length === 0) return <Empty title={t.classes.noStudents}>{t.classes.noMembersHelp}</Empty>;
  const titleIn = (subject: ClassGrades['subjects'][number]): string => {
    const title = titleAmong(subjects, subject);
    return subject.is_active ? title : t.classes.retired(title);
  };
  const columns: Column<Student>[] = [
    {
      title: t.classes.member,
      cell: studentCell,
    },
    { title: t.classes.points, isShort: true, cell: ({ score }) => t.classes.ofAll(score, max_score) },
    { title: t.classes.passedCount, isNumber: true, isMinor: true, cell: ({ passed }) => passed },
    { title: t.classes.missing, isNumber: true, cell: ({ missing }) => missing },
    ...subjects.map(
      (subject, index): Column<Student> => ({
        title: titleIn(subject),
        isShort: true,
        cell: ({ results }) => <Result grade={results[index] ?? null} />,
      }),
    ),
  ];
  return <Table caption={t.classes.grades} rows={students} keyOf={({ user_id }) => user_id} columns={columns} />;
}

function Result({ grade }: { grade: Student['results'][number] }) {
  const t = useStrings();
  const { role } = useUser();
  if (!grade) return <span className="text-ink-soft">–</span>;
  const { attempts, attempt_id, score, max_score, passed, is_active } = grade;
  const points = score === null || max_score === null ? t.classes.notGraded : t.classes.ofAll(score, max_score);
  return (
    <>
      <span className={passed ? 'block font-medium text-good' : 'block'}>
        {attempt_id === null || role === 'student' ? (
          points
        ) : (
          <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${attempt_id}` }} className="underline">
            {points}
          </Link>
        )}{' '}
        {passed && t.classes.passed}
      </span>
      <Tries attempts={attempts} isActive={is_active} />
    </>
  );
}
