import { ConflictError, NotFoundError } from '../../errors.ts';
import type { AttemptKind } from '../tables.ts';
import type { Refusals } from './refusals.ts';

type AssessmentTables = {
  table: 'exams' | 'laboratories';
  tasks: 'exam_tasks' | 'laboratory_tasks';
  /** The column of tasks and attempts that refers to the assessment. */
  column: 'exam_id' | 'laboratory_id';
  /** Whether assessments have an explicit order. Others are ordered by id. */
  isOrdered: boolean;
  refusals: Refusals;
};

/** The tables of exams and laboratories. Each kind has separate tables, because its ids are independent. */
export const assessmentTables: Readonly<Record<AttemptKind, AssessmentTables>> = {
  exam: {
    table: 'exams',
    tasks: 'exam_tasks',
    column: 'exam_id',
    isOrdered: true,
    refusals: { exams_course_id_fkey: () => new NotFoundError('not_found', 'Course not found') },
  },
  laboratory: {
    table: 'laboratories',
    tasks: 'laboratory_tasks',
    column: 'laboratory_id',
    isOrdered: false,
    refusals: {
      laboratories_section_id_fkey: () => new NotFoundError('not_found', 'Section not found'),
      laboratories_section: () => new ConflictError('section_has_laboratory', 'The section has a laboratory already'),
    },
  },
};
