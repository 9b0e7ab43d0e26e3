import { type Static, Type } from 'typebox';
import { Description, Image, Name, OrderIndex, Slug } from '../http/protocol/fields.ts';
import { Id, Nullable, Timestamp } from '../http/protocol/schemas.ts';
import { answered, optional } from './fields.ts';
import { openingColumns, openingDefaults, openingFields } from './opening.ts';
import { ExamTask, LaboratoryTask, Script } from './task.ts';

export const StudentAccount = Type.Enum(['student', 'root'], {
  description: 'The account of students in the container; default `student`. 422: the image does not grant root.',
});
/** The account of a container that its student works as. */
export type StudentAccount = Static<typeof StudentAccount>;

const TimeLimit = Type.Integer({ minimum: 1, maximum: 1440 });

/** What exams and laboratories have in common. The row, the answers, the inputs, the content file and the revision are derived from it. */
export const Assessment = Type.Object({
  id: Type.Integer(),
  slug: Nullable(Type.String({ ...Slug, description: 'The name in files and commands.' })),
  title: Name,
  description: Description,
  introduction: Type.String({ ...Description, description: 'Markdown, shown before the start and during an attempt.' }),
  conclusion: Type.String({
    ...Description,
    description: 'Markdown, shown with the results of an attempt that has ended.',
  }),
  container_image: Image,
  user: StudentAccount,
  passing_score: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'In points.' }),
  is_active: Type.Boolean({ description: 'False: a draft, which students do not see.' }),
  setup_script: Nullable(
    Type.String({
      ...Script,
      description: 'Bash that prepares a new container as root, before its user can enter it. Null removes it.',
    }),
  ),
  draw: Nullable(
    Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: 1000 }), {
      ...{ maxProperties: 50 },
      description:
        'How many tasks each attempt draws, by the `pool` of the tasks: at most all. All of a pool that is not named. Null: none is named.',
    }),
  ),
  ...openingFields,
  created_at: Timestamp,
});
export type Assessment = Static<typeof Assessment>;

/** What a revision holds beside its columns. */
export const revisionTexts = [
  'title',
  'description',
  'introduction',
  'conclusion',
  'user',
  'setup_script',
  'draw',
] as const;

/** The fields of an exam alone. */
const ofExam = {
  time_limit_minutes: TimeLimit,
  course_id: Nullable(Id),
  order_index: OrderIndex,
  is_session_only: Type.Boolean({
    description:
      'It starts for nobody outside of exam sessions, and students see the texts of its tasks from their start on. It becomes true when an administrator, or an owner or editor of its course, plans its first session.',
  }),
  has_certificate: Type.Boolean({
    description: 'Students who have passed it, and see their results, can have a certificate that others verify.',
  }),
};
/** The fields of a laboratory alone. */
const ofLaboratory = {
  time_limit_minutes: Nullable(Type.Integer({ ...TimeLimit, description: 'Null: none.' })),
  section_id: Nullable(Id),
  is_sequential: Type.Boolean({
    description: 'The tasks open one after another: each when the one before has passed.',
  }),
};

export type ExamFields = Static<Type.TObject<typeof ofExam>>;
export type LaboratoryFields = Static<Type.TObject<typeof ofLaboratory>>;

/** What a field is where nobody gives it. */
export const assessmentDefaults = {
  slug: null,
  description: '',
  introduction: '',
  conclusion: '',
  user: 'student',
  is_active: true,
  setup_script: null,
  draw: null,
  ...openingDefaults,
  course_id: null,
  order_index: 0,
  is_session_only: false,
  has_certificate: false,
  section_id: null,
  is_sequential: false,
} as const;

/** For instructors and administrators only. Students get the conclusion with their results. */
export const staffAssessmentFields = ['setup_script', 'conclusion', 'draw'] as const;

const { id: _id, slug: _slug, created_at: _created, ...own } = Assessment.properties;
const input = optional(own, [
  ...(['description', 'introduction', 'conclusion', 'user', 'is_active', 'setup_script', 'draw'] as const),
  ...openingColumns,
]);
/** As administrators send them. */
export const NewExam = Type.Object(
  { ...input, ...optional(ofExam, ['course_id', 'order_index', 'is_session_only', 'has_certificate']) },
  { title: 'ExamFields' },
);
export const NewLaboratory = Type.Object(
  { ...input, ...optional(ofLaboratory, ['time_limit_minutes', 'section_id', 'is_sequential']) },
  { title: 'LaboratoryFields' },
);

const totals = {
  task_count: Type.Integer(),
  max_score: Type.Number(),
  needs_machine: Type.Boolean({
    description: 'False: its attempts have no container, because no task is solved or collected on a machine.',
  }),
  revision: Type.Integer({
    description:
      'From 1. A change of anything that is shown or graded makes the next. During an attempt its user gets that of the attempt.',
  }),
};
const shown = { ...optional(answered(Assessment.properties), staffAssessmentFields), ...totals };
export const Exam = Type.Object({ ...shown, ...answered(ofExam), tasks: Type.Array(ExamTask) }, { title: 'Exam' });
export const Laboratory = Type.Object(
  { ...shown, ...answered(ofLaboratory), tasks: Type.Array(LaboratoryTask) },
  { title: 'Laboratory' },
);

/** The id of an exam or a laboratory in the fields that answers have for it. The other one is null, both are after its deletion. */
export const assessmentIds = ({ kind, assessment_id }: { kind: string; assessment_id: number | null }) => ({
  exam_id: kind === 'exam' ? assessment_id : null,
  laboratory_id: kind === 'laboratory' ? assessment_id : null,
});
