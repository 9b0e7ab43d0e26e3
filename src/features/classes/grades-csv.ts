import { csvLine } from '../auth/user-csv.ts';
import type { ClassGrades, GradedSubject } from './grades-store.ts';

const columns = ['username', 'full_name', 'email', 'score', 'max_score', 'passed', 'missing'];

/** One line for each student, and one column for each exam and laboratory with the score. The cell of a missing one is empty. */
export function gradesCsv({ subjects, max_score, students }: ClassGrades): string {
  const head = csvLine([...columns, ...subjects.map((subject) => titleOf(subject, subjects))]);
  const lines = students.rows.map(({ username, full_name, email, score, passed, missing, results }) =>
    csvLine([
      ...[username, full_name, email, score, max_score, passed, missing],
      ...results.map((grade) => grade?.score ?? null),
    ]),
  );
  return head + lines.join('');
}

/** A program that reads the file knows columns by their titles, so each has its own. */
const titleOf = ({ kind, id, title }: GradedSubject, subjects: readonly GradedSubject[]): string =>
  subjects.some((other) => other.title === title && !(other.kind === kind && other.id === id))
    ? `${title} (${kind} ${id})`
    : title;
