import { csvLine } from '../tables/user-csv.ts';
import type { CsvFormat } from './grades-schema.ts';
import type { ClassGrades, KeyedBook, StudentGrades } from './grades-service.ts';

/** A column of a file: its title, its maximum, and the score of a student. */
type ScoreColumn = { title: string; max_score: number; score: (student: StudentGrades) => number | null };

/** The grades of all students in one of the formats. */
export const gradesCsv = (grades: ClassGrades, format: CsvFormat): string => writers[format](grades);

const head = ['username', 'full_name', 'email', 'score', 'max_score', 'passed', 'missing', 'percent', 'is_passed'];

/**
 * One line for each student, and one column for each exam, laboratory and column with the score. The cell of a missing one is empty. What
 * lateness has cost somebody has two columns of its own.
 */
function allCsv(grades: ClassGrades): string {
  const columns = scoreColumns(grades, true);
  const late = columns
    .map(({ title }, index) => ({ title, index }))
    .filter(({ index }) => grades.students.rows.some(({ results }) => results[index]?.late));
  const lines = grades.students.rows.map((student) => {
    const { username, full_name, email, score, passed, missing, percent, is_passed } = student;
    return csvLine([
      ...[username, full_name, email, score, grades.max_score, passed, missing, percent, is_passed],
      ...columns.map((column) => column.score(student)),
      ...late.flatMap(({ index }) => {
        const of = student.results[index]?.late;
        return of ? [of.days, -of.percent] : [null, null];
      }),
    ]);
  });
  const lateHead = late.flatMap(({ title }) => [`${title} (late days)`, `${title} (late %)`]);
  return csvLine([...head, ...columns.map(({ title }) => title), ...lateHead]) + lines.join('');
}

/** The columns with typed values, as an import takes them. */
function columnsCsv({ columns, students }: ClassGrades): string {
  const lines = students.rows.map(({ username, full_name, email, values }) =>
    csvLine([username, full_name, email, ...values]),
  );
  return csvLine(['username', 'full_name', 'email', ...columns.map(({ name }) => name)]) + lines.join('');
}

/**
 * For the grade import of Moodle (https://docs.moodle.org/en/Grade_import, "CSV grade import"), which finds students by their email address
 * or username and asks which column is which grade item. A missing grade is a hyphen: Moodle reads it as no grade, in new and existing grade
 * items (`grade/import/csv/classes/load_data.php`). A single hyphen is no formula.
 */
function moodleCsv(grades: ClassGrades): string {
  const columns = scoreColumns(grades, false);
  const lines = grades.students.rows.map((student) => {
    const { username, full_name, email, percent } = student;
    const scores = [...columns.map((column) => column.score(student)), percent].map((score) => score ?? '-');
    return `${csvLine([username, full_name, email]).trimEnd()},${scores.join(',')}\r\n`;
  });
  const titles = columns.map(({ title }) => title);
  return csvLine(['Username', 'Full name', 'Email address', ...titles, 'Total (%)']) + lines.join('');
}

/**
 * For the gradebook import of Canvas, as its importer reads it (`lib/gradebook_importer.rb`, `update_column_count` to `process_student`): the
 * columns Student, ID, SIS User ID, SIS Login ID and Section, then assignments; a line with the points possible; the students. Canvas finds
 * them by the SIS Login ID, which is the username, or else by the name. An empty cell is no grade. Canvas calculates totals itself.
 */
function canvasCsv(grades: ClassGrades): string {
  const columns = scoreColumns(grades, false).map((column) => ({ ...column, title: canvasTitle(column.title) }));
  const lines = grades.students.rows.map((student) => {
    const { username, full_name } = student;
    const scores = columns.map((column) => column.score(student));
    return csvLine([full_name || username, null, null, username, grades.class_name, ...scores]);
  });
  const points = ['    Points Possible', null, null, null, null, ...columns.map(({ max_score }) => max_score)];
  const titles = columns.map(({ title }) => title);
  return (
    csvLine(['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section', ...titles]) + csvLine(points) + lines.join('')
  );
}

const writers: Record<CsvFormat, (grades: ClassGrades) => string> = {
  ...{ all: allCsv, columns: columnsCsv, moodle: moodleCsv, canvas: canvasCsv },
};

/** Canvas takes parentheses at the end of a title for the id of an assignment. */
const canvasTitle = (title: string): string => title.replace(/\(([^()]*)\)$/, '[$1]');

/** @param hasRetired whether there are columns for retired exams and laboratories */
function scoreColumns({ subjects, columns }: KeyedBook, hasRetired: boolean): ScoreColumn[] {
  const titles = [...subjects.map(({ title }) => title), ...columns.map(({ name }) => name)];
  // A program that reads the file knows columns by their titles, so each has its own.
  const isTwice = (title: string): boolean => titles.filter((other) => other === title).length > 1;
  return [
    ...subjects.flatMap(({ kind, id, title, max_score, is_active }, index): ScoreColumn[] => {
      if (!is_active && !hasRetired) return [];
      const own = isTwice(title) ? `${title} (${kind} ${id})` : title;
      return [{ title: own, max_score, score: ({ results }) => results[index]?.score ?? null }];
    }),
    ...columns.map(({ name, max_score }, index): ScoreColumn => {
      const own = isTwice(name) ? `${name} (column)` : name;
      return { title: own, max_score, score: ({ values }) => values[index] ?? null };
    }),
  ];
}
