import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, Nullable, NullableTimestamp, OneOf } from '../../http/protocol/schemas.ts';
import { OwnDeadlines } from '../classes/schema.ts';

const Kind = OneOf('exam', 'laboratory');
const Counted = OneOf('best', 'last', 'first');
const Missing = OneOf('zero', 'ignored');
const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Weight = Type.Number({ minimum: 0, maximum: 1000, description: 'With 0 it counts for no percentage.' });
const MaxScore = Type.Number({ minimum: 0.01, maximum: 100_000 });
const ColumnName = Type.String({
  ...{ minLength: 1, maxLength: 200, pattern: '^\\S(?:.*\\S)?$' },
  description: 'Unique in the class, in any case. Not `username`, `email` or `full_name`.',
});
const Key = Type.String({ description: 'Such as `exam-3`, `laboratory-4` or `column-5`.' });

export const RulesSchema = Type.Object(
  {
    missing: { ...Missing, description: 'How a missing grade counts for the percentage: as zero, or not at all.' },
    drop_lowest: Type.Integer({ description: "The number of a student's lowest grades that do not count." }),
    passing_percent: Nullable(
      Type.Number({ description: 'The percentage from which a student passes; null without a rule.' }),
    ),
    is_visible: Type.Boolean({ description: 'Whether students see their own grades.' }),
  },
  { title: 'GradeBookRules' },
);

const Late = Nullable(
  Type.Object(
    {
      days: Type.Integer({ description: 'Days since the deadline; one that has begun counts as a whole one.' }),
      percent: Type.Integer({ description: 'Percent of the full score that this has cost.' }),
      full_score: Type.Number({ description: 'The score without the late rule.' }),
    },
    {
      title: 'LateGrade',
      description:
        'What lateness has cost, by the late rule of the class and the deadline of the student: `percent` of `full_score` for `days` that have begun. Null: nothing. `score` is what is left.',
    },
  ),
);

const GradeSchema = Type.Object(
  {
    attempts: Type.Integer(),
    attempt_id: Nullable(
      Type.Integer({
        description:
          'The graded attempt that counts, by `counted_attempt` of the exam or laboratory; null without one. The score, its maximum, the result and the time are those of this attempt.',
      }),
    ),
    score: Nullable(Type.Number()),
    max_score: Nullable(Type.Number()),
    passed: Nullable(Type.Boolean()),
    submitted_at: NullableTimestamp,
    is_active: Type.Boolean({ description: 'Whether an attempt has begun and not ended.' }),
    is_awaiting_grading: Type.Boolean({
      description:
        'Whether people have not graded all of an attempt that has ended. It does not count until they have.',
    }),
    late: Late,
  },
  { title: 'Grade' },
);

export const ColumnSchema = Type.Object(
  { id: Type.Integer(), name: Type.String(), max_score: Type.Number(), weight: Type.Number() },
  { title: 'GradeColumn' },
);

const book = {
  rules: RulesSchema,
  subjects: Type.Array(
    Type.Object({
      key: Key,
      kind: Kind,
      id: Type.Integer(),
      title: Type.String(),
      max_score: Type.Number(),
      passing_score: Type.Number(),
      is_active: Type.Boolean({
        description: 'A retired exam or laboratory is listed if a student has a grade in it. It counts for no total.',
      }),
      weight: Type.Number(),
      counted_attempt: {
        ...Counted,
        description: 'Of an exam session only the attempt that counts there takes part. Of equal scores the newest.',
      },
    }),
    { description: 'The exams and laboratories of the courses of the class.' },
  ),
  columns: Type.Array(Type.Object({ key: Key, ...ColumnSchema.properties }), {
    description: 'Columns with typed values.',
  }),
};
export const GradeBookSchema = Type.Object(book, { title: 'GradeBook' });

export const ClassGradesSchema = Type.Object(
  {
    ...book,
    max_score: Type.Number({ description: 'The maximum of the active ones and of the columns together.' }),
    students: Type.Array(
      Type.Object({
        user_id: Type.Integer(),
        username: Type.String(),
        full_name: Nullable(Type.String()),
        email: Type.String(),
        extensions: OwnDeadlines,
        score: Type.Number({ description: 'The sum of the scores in the active ones and of the values.' }),
        passed: Type.Integer({ description: 'How many active ones are passed.' }),
        missing: Type.Integer({ description: 'How many active ones have no graded attempt, and columns no value.' }),
        percent: Nullable(
          Type.Number({ description: 'Weighted, by the rules, with two decimal places. Null if nothing counts.' }),
        ),
        is_passed: Nullable(Type.Boolean({ description: 'By `passing_percent`; null without it.' })),
        dropped: Type.Array(Key, { description: 'What does not count because it is among the lowest.' }),
        results: Type.Array(Nullable(GradeSchema), {
          description: 'In the order of `subjects`; null without an attempt.',
        }),
        values: Type.Array(Nullable(Type.Number()), {
          description: 'In the order of `columns`; null without a value.',
        }),
      }),
    ),
  },
  { title: 'ClassGrades' },
);

export const csvFormats = ['all', 'columns', 'moodle', 'canvas'] as const;
export type CsvFormat = (typeof csvFormats)[number];

export const GradesQuery = Type.Object({
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of a username, full name or e-mail address.' }),
  ),
  state: Type.Optional(OneOf('passed', 'failed', 'missing')),
  sort: Type.Optional(
    Type.String({
      pattern: '^(?:username|percent|score|missing|(?:exam|laboratory|column)-[1-9][0-9]{0,9})$',
      description: '`username` (default), `percent`, `score`, `missing` or a `key`. Missing grades come last.',
    }),
  ),
  order: Type.Optional(OneOf('asc', 'desc')),
  format: Type.Optional({
    ...OneOf(...csvFormats),
    description: 'Of the CSV. `all` (default), `columns` for an import, or for the imports of Moodle and Canvas.',
  }),
  ...PageQuery.properties,
});

export const BookChangeSchema = Type.Object(
  {
    missing: Type.Optional(Missing),
    drop_lowest: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    passing_percent: Type.Optional(Nullable(Percent)),
    is_visible: Type.Optional(Type.Boolean()),
    subjects: Type.Optional(
      Type.Array(
        Type.Object({
          kind: Kind,
          id: Id,
          weight: Type.Optional(Weight),
          counted_attempt: Type.Optional(Counted),
        }),
        { maxItems: 1000, description: 'Those that change.' },
      ),
    ),
  },
  { title: 'GradeBookChange' },
);
export const NewColumn = Type.Object(
  { name: ColumnName, max_score: MaxScore, weight: Type.Optional(Weight) },
  { title: 'NewGradeColumn' },
);
export const ColumnChange = Type.Object(
  { name: Type.Optional(ColumnName), max_score: Type.Optional(MaxScore), weight: Type.Optional(Weight) },
  { title: 'GradeColumnChange' },
);
export const ValueBody = Type.Object(
  {
    value: Nullable(
      Type.Number({
        ...{ minimum: 0, maximum: 100_000 },
        description: 'At most the maximum of the column. Null removes the value.',
      }),
    ),
  },
  { title: 'GradeValue' },
);
export const ImportedValues = Type.Object(
  { lines: Type.Integer(), changed: Type.Integer({ description: 'Values that are others than before.' }) },
  { title: 'ImportedGrades' },
);

export const OwnGradesSchema = Type.Object(
  {
    rules: RulesSchema,
    percent: Nullable(Type.Number()),
    is_passed: Nullable(Type.Boolean()),
    items: Type.Array(
      Type.Object({
        key: Key,
        kind: OneOf('exam', 'laboratory', 'column'),
        title: Type.String(),
        weight: Type.Number(),
        score: Nullable(Type.Number()),
        max_score: Type.Number(),
        passed: Nullable(Type.Boolean()),
        attempt_id: Nullable(Type.Integer()),
        is_withheld: Type.Boolean({
          description: 'There is a result that is not shown yet. It does not count for `percent` until then.',
        }),
        is_awaiting_grading: Type.Boolean({
          description:
            'People have not graded all of an attempt that has ended, and no other counts. It does not count for `percent` until they have.',
        }),
        is_missing: Type.Boolean(),
        late: Late,
        is_dropped: Type.Boolean({ description: 'Does not count because it is among the lowest.' }),
      }),
    ),
  },
  { title: 'OwnGrades' },
);

const Figure = Nullable(Type.Number());

export const ComparisonQuery = Type.Object({ with: { ...Id, description: 'Another class, such as of another term.' } });

export const ComparisonSchema = Type.Object(
  {
    classes: Type.Array(
      Type.Object({ id: Id, name: Type.String(), students: Type.Integer({ description: 'Of the class.' }) }),
      { description: 'The class, and the one it is compared with. All pairs are in this order.' },
    ),
    items: Type.Array(
      Type.Object({
        kind: Kind,
        keys: Type.Array(Key, { description: 'In the grade book of each class.' }),
        title: Type.String({ description: 'In the first class.' }),
        figures: Type.Array(
          Type.Object({
            count: Type.Integer({ description: 'Students with a grade. The next figures are of theirs.' }),
            mean: Nullable(Type.Number({ description: 'Of the percentages. Null without one.' })),
            median: Nullable(Type.Number({ description: 'Of the percentages. Null without one.' })),
            passed: Type.Integer({ description: 'Students whose counted attempt passed.' }),
          }),
          { description: 'One for each of the two classes, in their order.' },
        ),
        tasks: Type.Array(
          Type.Object({
            title: Type.String(),
            figures: Type.Array(
              Type.Object({
                count: Type.Integer({ description: 'Counted attempts with a result of the task.' }),
                passed: Type.Integer({ description: 'Those of them that passed the task.' }),
              }),
              { description: 'One for each of the two classes, in their order.' },
            ),
          }),
          { description: 'By their slugs, which copies keep.' },
        ),
      }),
      { description: 'The exams and laboratories that both classes have: the same one, or copies of one.' },
    ),
  },
  { title: 'GradeComparison' },
);

export const StatisticsQuery = Type.Object({
  item: Type.Optional(
    Type.String({
      pattern: '^(?:total|(?:exam|laboratory|column)-[1-9][0-9]{0,9})$',
      description: '`total` (default), or the `key` of an exam, laboratory or column.',
    }),
  ),
});

export const StatisticsSchema = Type.Object(
  {
    key: Type.String(),
    title: Nullable(Type.String({ description: 'Null for the total.' })),
    students: Type.Integer({ description: 'Of the class.' }),
    count: Type.Integer({ description: 'Students with a grade. The next figures are percentages of theirs.' }),
    mean: Figure,
    median: Figure,
    deviation: Nullable(Type.Number({ description: 'The standard deviation.' })),
    lowest: Figure,
    highest: Figure,
    bins: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer(), count: Type.Integer() }), {
      description: 'Students by percentage. A bin includes `from`, the last one also 100.',
    }),
    minutes: Nullable(
      Type.Number({ description: 'The median time from the start of the counted attempt to its submission.' }),
    ),
    tasks: Type.Array(
      Type.Object({
        task_id: Type.Integer(),
        title: Type.String(),
        points: Type.Number(),
        count: Type.Integer({ description: 'Counted attempts with a result of the task.' }),
        solved: Type.Integer(),
        difficulty: Type.Number({ description: 'The mean part of the points, from 0 to 1; 1 is the easiest.' }),
        discrimination: Nullable(
          Type.Number({
            description:
              'The difficulty among the best 27 % less that among the worst 27 %, by their scores. Null with fewer than six attempts, or if all scores are equal.',
          }),
        ),
        correlation: Nullable(
          Type.Number({
            description:
              'The correlation with the score in the other tasks (point-biserial). Null with fewer than six attempts, or if the task or the rest is equal for all.',
          }),
        ),
        minutes: Nullable(
          Type.Number({
            description:
              'The median time from the start of the attempt until the task first passed. Null for exams, whose tasks are graded together at the end.',
          }),
        ),
      }),
      { description: 'Empty for the total and for columns.' },
    ),
  },
  { title: 'GradeStatistics' },
);
