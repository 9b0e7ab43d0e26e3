import { Conflict, NotFound } from '../../errors.ts';
import type { AttemptKind } from '../tables.ts';
import type { Refusals } from './refusals.ts';

type SubjectTables = {
  table: 'exams' | 'laboratories';
  tasks: 'exam_tasks' | 'laboratory_tasks';
  /** The column of tasks and attempts that refers to the subject. */
  column: 'exam_id' | 'laboratory_id';
  /** Whether subjects have an order of their own. Others are in the order of their ids. */
  isOrdered: boolean;
  refusals: Refusals;
};

/** Where exams and laboratories are stored. Each kind has its own tables, because its ids are numbers of their own. */
export const subjectTables: Readonly<Record<AttemptKind, SubjectTables>> = {
  exam: {
    table: 'exams',
    tasks: 'exam_tasks',
    column: 'exam_id',
    isOrdered: true,
    refusals: { exams_course_id_fkey: () => new NotFound('not_found', 'Course not found') },
  },
  laboratory: {
    table: 'laboratories',
    tasks: 'laboratory_tasks',
    column: 'laboratory_id',
    isOrdered: false,
    refusals: {
      laboratories_section_id_fkey: () => new NotFound('not_found', 'Section not found'),
      laboratories_section: () => new Conflict('section_has_laboratory', 'The section has a laboratory already'),
    },
  },
};
