export const factors = [1, 1.25, 1.5, 1.75, 2, 2.5, 3];

type Student = { user_id: number; full_name: string | null; username: string };

/** The students of a class, for a choice. */
export const studentOptions = (students: readonly Student[]) =>
  students.map(({ user_id, full_name, username }) => ({
    value: `${user_id}`,
    label: full_name ? `${full_name} (${username})` : username,
  }));
