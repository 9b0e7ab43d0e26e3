import { Type } from 'typebox';
import { Nullable } from '../../http/protocol/schemas.ts';

const Figure = Nullable(Type.Number());

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
