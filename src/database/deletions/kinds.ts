import type { DeletedKind, Tables } from '../tables.ts';

/** The table of each kind that can be restored after its deletion. */
export const deletableTables = {
  course: 'courses',
  section: 'sections',
  theme: 'themes',
  exam: 'exams',
  laboratory: 'laboratories',
  exam_task: 'exam_tasks',
  laboratory_task: 'laboratory_tasks',
  sandbox_template: 'sandbox_templates',
  registration_code: 'registration_codes',
  class: 'classes',
  class_join_code: 'class_join_codes',
  class_grade_column: 'grade_columns',
  exam_session: 'exam_sessions',
  announcement: 'announcements',
  note: 'lesson_notes',
} as const satisfies Record<DeletedKind, keyof Tables>;
