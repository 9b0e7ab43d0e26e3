import type { Student } from '../../teaching-model/exam-sessions.ts';

const factors = [1, 1.25, 1.5, 1.75, 2, 2.5, 3];

/** The time factors, with those that students have, which can be others. */
export const factorOptions = (rows: readonly { time_factor: number | null }[], label: (factor: number) => string) =>
  [...new Set([...factors, ...rows.flatMap(({ time_factor }) => time_factor ?? [])])]
    .sort((one, other) => one - other)
    .map((factor) => ({ value: `${factor}`, label: label(factor) }));

type Named = Omit<Student, 'user_id'>;

export const nameOf = ({ full_name, username }: Named): string => (full_name ? `${full_name} (${username})` : username);

/** The students of a class, for a choice. */
export const studentOptions = (students: readonly Student[]) =>
  students.map((student) => ({ value: `${student.user_id}`, label: nameOf(student) }));
