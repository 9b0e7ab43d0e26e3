import type { AttemptKind, DeletedKind, Tables } from '../tables.ts';

/** The table of each kind that can be restored after its deletion, and the kind of its row where the table has several. */
export const deletableTables = {
  course: { table: 'courses' },
  section: { table: 'sections' },
  theme: { table: 'themes' },
  exam: { table: 'assessments', of: 'exam' },
  laboratory: { table: 'assessments', of: 'laboratory' },
  exam_task: { table: 'assessment_tasks', of: 'exam' },
  laboratory_task: { table: 'assessment_tasks', of: 'laboratory' },
  sandbox_template: { table: 'sandbox_templates' },
  registration_code: { table: 'registration_codes' },
  identity_provider: { table: 'identity_providers' },
  lti_platform: { table: 'lti_platforms' },
  class: { table: 'classes' },
  class_join_code: { table: 'class_join_codes' },
  class_grade_column: { table: 'grade_columns' },
  exam_session: { table: 'exam_sessions' },
  announcement: { table: 'announcements' },
  note: { table: 'lesson_notes' },
} as const satisfies Record<DeletedKind, { table: keyof Tables; of?: AttemptKind }>;
