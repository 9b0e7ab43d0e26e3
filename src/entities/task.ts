import { type Static, Type } from 'typebox';
import { Description, Name, Slug } from '../http/protocol/fields.ts';
import { Nullable } from '../http/protocol/schemas.ts';
import { solutionVisibilities } from '../values/solution-visibility.ts';
import { answered, omit, optional, pick } from './fields.ts';
import {
  kindFieldNames,
  kindFields,
  kindInputs,
  shownToStudent,
  staffKindFields,
  TaskKindSchema,
} from './task-kinds/kinds.ts';

/** The bounds of a script, in characters; the database has them as well. */
export const Script = { minLength: 1, maxLength: 262_144 };

/** How a check gives its verdict: PASS as its last line, exit status 0, or OK as its last line. */
export const VerdictKind = Type.Enum(['pass', 'exit-status', 'ok'], {
  description: 'What a PASS is: the last line PASS (default), the exit status 0, or the last line OK.',
});
export type VerdictKind = Static<typeof VerdictKind>;

const maxChoices = 200;
/** A name is any text here: what is wrong with it is reported as `parameterProblems` has it. */
const TaskParameters = Type.Record(
  Type.String(),
  Type.Object(
    {
      int: Type.Optional(
        Type.Array(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 }), {
          ...{ minItems: 2, maxItems: 2 },
          description: 'The lowest and the highest of the whole numbers.',
        }),
      ),
      choice: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          ...{ minItems: 1, maxItems: maxChoices },
          description:
            'Different texts. They have no backticks and do not begin with `~~~`, so that they can stand in code.',
        }),
      ),
    },
    { title: 'TaskParameter', additionalProperties: false, description: 'Either `int` or `choice`.' },
  ),
  {
    maxProperties: 20,
    description:
      'What each attempt draws a value of, by names of small letters, digits and `_`. The texts of the task have the value of `port` as `{{port}}`, its scripts as `$PARAM_PORT`. Where there are any, `\\{{` stands for two braces. Null: none.',
  },
);

/** Of a task. */
const Points = Type.Number({
  ...{ minimum: 0, maximum: 10_000 },
  description: 'With at most two decimal places: more are rounded.',
});

/**
 * A task of an exam or a laboratory. The row, the answers, the inputs, the content file and the revision are derived from it, so a field of
 * all kinds is added here, to the lists below and in a migration. Those of one kind are in its module in `task-kinds/`.
 */
export const Task = Type.Object({
  id: Type.Integer(),
  slug: Nullable(Slug),
  kind: TaskKindSchema,
  title: Name,
  description: Description,
  hint: Type.String({ maxLength: 100_000 }),
  points: Points,
  verification_script: Type.String({
    ...Script,
    description: 'Bash that gives the verdict as `verdict` says. Needed by a `check`; empty for other kinds.',
  }),
  verdict: VerdictKind,
  solution_script: Nullable(
    Type.String({ ...Script, description: 'Bash, run as the student during the trial of the task.' }),
  ),
  partial_script: Nullable(
    Type.String({
      ...Script,
      description:
        'Bash of a solution that earns a part of the points, run as the student before `solution_script` during the trial of a task with `has_partial_credit`.',
    }),
  ),
  solution: Type.String({
    ...Description,
    description:
      'The worked solution in Markdown. Empty: there is none. Students get it as `solution_visible` says, for one exam or laboratory and with their results; otherwise it is absent.',
  }),
  solution_visible: Type.Enum([...solutionVisibilities], {
    description:
      'When students see `solution`: never (default), after they have passed the task, or after the last due date of the laboratory or the last close of the exam that concerns them. Never while an attempt of theirs runs.',
  }),
  setup_script: Nullable(
    Type.String({
      ...Script,
      description:
        'Bash that prepares a new container as root, before its user can enter it: after the one of the exam or laboratory, in the order of the tasks.',
    }),
  ),
  order_index: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  has_partial_credit: Type.Boolean({
    description:
      'True: `SCORE k/n` as the last line of the check gives that part of the points, rounded to two decimal places. Elsewhere it is FAIL.',
  }),
  parameters: Nullable(TaskParameters),
  pool: Nullable(
    Type.String({
      ...Slug,
      description:
        'The set of tasks with the same points of which each attempt draws as many as `draw` of the exam or laboratory says. Null: none, and every attempt has the task.',
    }),
  ),
  ...kindFields,
});
export type Task = Static<typeof Task>;

/** What a field is where nobody gives it. */
export const taskDefaults = {
  slug: null,
  kind: 'check',
  description: '',
  hint: '',
  verification_script: '',
  verdict: 'pass',
  solution_script: null,
  partial_script: null,
  solution: '',
  solution_visible: 'never',
  setup_script: null,
  order_index: 0,
  has_partial_credit: false,
  parameters: null,
  pool: null,
} as const satisfies Partial<Task>;

/** What a trial runs. */
export const taskPrograms = [
  'verification_script',
  'verdict',
  'solution_script',
  'partial_script',
  'setup_script',
] as const;
/** For instructors and administrators only. Students get the solution once they may see it. */
export const staffTaskFields = [
  ...taskPrograms,
  'solution',
  'solution_visible',
  'parameters',
  'pool',
  ...staffKindFields,
] as const;
/** What a revision holds: what students are shown, and what they are graded by. */
export const revisionTaskFields = [
  'id',
  'title',
  'description',
  'hint',
  'points',
  'order_index',
  'verification_script',
  'verdict',
  'setup_script',
  'solution',
  'solution_visible',
  'has_partial_credit',
  'parameters',
  'pool',
  'kind',
  ...kindFieldNames,
] as const;
/** What results show of their task, and what they keep of it. */
export const shownResultFields = ['title', 'points', 'has_partial_credit'] as const;
export const resultTaskFields = [...shownResultFields, 'order_index'] as const;
/** What a trial depends on, and what it needs. */
export const trialTaskFields = [
  'kind',
  'has_partial_credit',
  'parameters',
  ...taskPrograms,
  ...kindFieldNames,
] as const;
export const triedTaskFields = ['id', 'title', ...trialTaskFields] as const;
/** Those of a content file that name other files. */
export const taskScripts = ['verification_script', 'solution_script', 'partial_script', 'setup_script'] as const;

const { hint: Hint, ...examTask } = Task.properties;
const { slug: _noSlug, hint: _noHint, ...defaults } = taskDefaults;
/** Of what everybody sees. */
export const shownDefaults = omit(defaults, [...taskPrograms, 'solution', 'solution_visible']);
const withDefault = Object.keys(defaults) as (keyof typeof defaults)[];

const { slug: _slug, ...shown } = optional(answered(examTask), staffTaskFields);
export const ExamTask = Type.Object(
  {
    ...shown,
    description: Nullable(Type.String({ description: 'Null while `is_locked`.' })),
    is_locked: Type.Optional(
      Type.Boolean({
        description:
          'True: the exam starts for the caller in exam sessions only, and the text is shown when an attempt of the caller runs or has ended.',
      }),
    ),
  },
  { title: 'ExamTask' },
);
export const LaboratoryTask = Type.Object(
  {
    ...shown,
    hint: Type.String(),
    is_locked: Type.Optional(
      Type.Boolean({
        description: 'True: the task opens when the one before has passed. Its description and hint are empty.',
      }),
    ),
  },
  { title: 'LaboratoryTask' },
);

const { id: _id, slug: _ownSlug, ...fields } = optional(examTask, withDefault);
const input = { ...fields, ...kindInputs };
/** As administrators send them. Null removes a script. */
export const NewExamTask = Type.Object(input, { title: 'ExamTaskFields' });
export const NewLaboratoryTask = Type.Object(
  { ...input, hint: Type.Optional(Hint) },
  { title: 'LaboratoryTaskFields' },
);

/** A task as its attempt is shown and graded by it. The hint is only of laboratories. */
export const RevisionTask = Type.Object(
  {
    ...Type.Pick(Type.Object(optional(answered(Task.properties), ['hint'])), revisionTaskFields).properties,
    values: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'What the attempt has drawn of its `parameters`. The texts have these values.',
      }),
    ),
    ...answered(kindFields),
  },
  { title: 'AttemptTask' },
);
/** A task of a revision. What one of an older release lacks has its default. */
export const revised = (task: Static<typeof RevisionTask>): Static<typeof RevisionTask> => ({
  ...pick(defaults as Partial<Task>, revisionTaskFields),
  ...task,
});

/** What the answer about a result says of its task. */
export const resultTask = answered(Type.Pick(Task, shownResultFields).properties);

/** A task without what is for staff. @param seed see `shownToStudent` */
export const forStudents = <Row extends Pick<Task, 'id' | 'kind'>>(task: Row, seed?: string): Row =>
  omit(shownToStudent(task, seed), staffTaskFields as readonly string[] as never[]) as Row;
/** Of a task whose text is hidden: neither are the fields of its kind shown. */
export const withoutKindFields = <Row extends object>(task: Row): Row =>
  omit(task, kindFieldNames as readonly string[] as never[]) as Row;
