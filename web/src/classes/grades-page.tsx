import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ChartNoAxesColumn } from 'lucide-react';
import { pageSize } from '../api/list-query.ts';
import { Link } from '../routing/link.tsx';
import { useAddress, useParams } from '../routing/place-context.ts';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Page } from '../ui/page.tsx';
import { Pages } from '../ui/pages.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { type ClassGrades, classQuery, gradesQuery } from './queries.ts';

/** The grades of a class: students by exams and laboratories. */
export function GradesPage() {
  const t = useStrings();
  const { classId } = useParams('/classes/$classId/grades');
  const { search, onSearch } = useAddress('/classes/$classId/grades');
  const id = Number(classId);
  const { data } = useQuery(classQuery(id));
  return (
    <Page
      title={data ? t.classes.gradesOf(data.name) : t.classes.grades}
      lead={
        <>
          <Link
            to="/classes/$classId"
            params={{ classId }}
            className="inline-flex items-center gap-1 text-sm hover:text-ink hover:underline"
          >
            <ArrowLeft size={16} aria-hidden="true" /> {data?.name ?? t.classes.class}
          </Link>
          <p className="mt-1">{t.classes.gradesLead}</p>
        </>
      }
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
    </Page>
  );
}

type Student = ClassGrades['students'][number];

function Students({ grades: { students, subjects, max_score } }: { grades: ClassGrades }) {
  const t = useStrings();
  if (students.length === 0) return <Empty title={t.classes.noStudents} />;
  const columns: Column<Student>[] = [
    {
      title: t.classes.member,
      cell: ({ full_name, username, email }) => (
        <div className="min-w-44 [overflow-wrap:anywhere]">
          <span className="block font-medium">{full_name || username}</span>
          <span className="block text-xs text-ink-soft">{email}</span>
        </div>
      ),
    },
    { title: t.classes.points, isShort: true, cell: ({ score }) => t.classes.ofAll(score, max_score) },
    { title: t.classes.passedCount, isNumber: true, isMinor: true, cell: ({ passed }) => passed },
    { title: t.classes.missing, isNumber: true, cell: ({ missing }) => missing },
    ...subjects.map(
      (subject, index): Column<Student> => ({
        title: titleOf(subject, subjects, t.classes.retired),
        isShort: true,
        cell: ({ results }) => <Result grade={results[index] ?? null} />,
      }),
    ),
  ];
  return <Table caption={t.classes.grades} rows={students} keyOf={({ user_id }) => user_id} columns={columns} />;
}

function titleOf(
  { kind, id, title, is_active }: ClassGrades['subjects'][number],
  subjects: ClassGrades['subjects'],
  retired: (title: string) => string,
): string {
  const isTwice = subjects.some((other) => other.title === title && !(other.kind === kind && other.id === id));
  const own = isTwice ? `${title} (${kind} ${id})` : title;
  return is_active ? own : retired(own);
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
      <span className="block text-xs text-ink-soft">
        {t.classes.tries(attempts)}
        {is_active && `, ${t.classes.underWay}`}
      </span>
    </>
  );
}
