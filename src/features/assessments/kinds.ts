import { Type } from 'typebox';
import type { AttemptKind } from '../../database/tables.ts';
import { Exam, Laboratory, NewExam, NewLaboratory } from '../../entities/assessment.ts';
import { ExamTask, LaboratoryTask, NewExamTask, NewLaboratoryTask } from '../../entities/task.ts';
import { ExamCopy, ExamResults, LaboratoryCopy, LaboratoryResults, StartedExam, StartedLaboratory } from './schema.ts';
import type { ShownAssessment, TaskRow } from './store.ts';

const queueHelp =
  '403 `opens_later` while it is closed for a student. ' +
  'Without a free container: 503 with `Retry-After`. With `Prefer: respond-async` (RFC 7240): 202 with `Preference-Applied`, and the attempt is queued. ' +
  'Queued attempts start first come, first served, before requests without the preference. Repeating the request returns the same place.';

/**
 * The differences between exams and laboratories in the service. Their tables are in database/. The answers differ in a few fields, which
 * the serializer reads from the row. For the compiler, both have the common type.
 */
export const kinds = {
  exam: {
    /** The name in messages, and the name with its article. */
    name: 'Exam',
    one: 'an exam',
    /** The name in paths, and the tag in the API document. */
    plural: 'exams' as const,
    /**
     * A laboratory is for practice: a start resumes its active attempt, and a check grades without ending it. Students open it from its
     * section. Exams are in a list. Each exam attempt is started once, and a user has one at a time.
     */
    isPractice: false,
    AssessmentWithTasks: Type.Unsafe<ShownAssessment>(Exam),
    Task: Type.Unsafe<TaskRow>(ExamTask),
    Started: StartedExam,
    Results: ExamResults,
    NewAssessment: NewExam,
    Copy: ExamCopy,
    NewTask: NewExamTask,
    about: {
      starting: 'Start an attempt',
      start:
        'Creates a container for it and starts the clock. The output of its terminals is recorded for instructors. Clients must inform the student. A user has one active exam attempt at a time: a second is 409. ' +
        'A member of a class, or a chosen student, starts an exam that has sessions for them only in one of these that is open: by default, the one that closes first. An exam that `is_session_only` starts for nobody else. ' +
        queueHelp,
      create: 'Without an `order_index` it is appended.',
    },
  },
  laboratory: {
    name: 'Laboratory',
    one: 'a laboratory',
    plural: 'laboratories' as const,
    isPractice: true,
    AssessmentWithTasks: Type.Unsafe<ShownAssessment>(Laboratory),
    Task: Type.Unsafe<TaskRow>(LaboratoryTask),
    Started: StartedLaboratory,
    Results: LaboratoryResults,
    NewAssessment: NewLaboratory,
    Copy: LaboratoryCopy,
    NewTask: NewLaboratoryTask,
    about: {
      starting: 'Start an attempt, or resume the active one',
      start:
        '201 with a new attempt and its container; 200 with the active attempt of this laboratory. ' +
        'An attempt without a time limit is graded as it is after `SANDBOX_MAX_HOURS`. ' +
        queueHelp,
      create: '409: the section already has a laboratory.',
    },
  },
} satisfies Record<AttemptKind, object>;
