import { csvLine } from '../tables/user-csv.ts';
import type { ClassProgress } from './progress-store.ts';

const columns = ['username', 'full_name', 'email', 'state', 'completed_themes', 'total_themes', 'last_active_at'];

/** One line for each student, and one column for each exam and laboratory with the best score. */
export function progressCsv({ subjects, students, total_themes }: ClassProgress): string {
  const head = csvLine([...columns, ...subjects.map(({ title }) => title)]);
  const lines = students.rows.map(({ username, full_name, email, state, completed_themes, last_active_at, results }) =>
    csvLine([
      ...[username, full_name, email, state, completed_themes, total_themes],
      last_active_at?.toISOString() ?? null,
      ...results.map((result) => result?.score ?? null),
    ]),
  );
  return head + lines.join('');
}
