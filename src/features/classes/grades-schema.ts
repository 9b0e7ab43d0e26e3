import { Type } from 'typebox';
import { Nullable, NullableTimestamp, OneOf } from '../../http/schemas.ts';

const GradeSchema = Type.Object(
  {
    attempts: Type.Integer(),
    attempt_id: Nullable(
      Type.Integer({
        description:
          'The graded attempt with the highest score, of several the newest; null without one. The score, its maximum, the result and the time are those of this attempt.',
      }),
    ),
    score: Nullable(Type.Number()),
    max_score: Nullable(Type.Number()),
    passed: Nullable(Type.Boolean()),
    submitted_at: NullableTimestamp,
    is_active: Type.Boolean({ description: 'Whether an attempt has begun and not ended.' }),
  },
  { title: 'Grade' },
);

export const ClassGradesSchema = Type.Object(
  {
    subjects: Type.Array(
      Type.Object({
        kind: OneOf('exam', 'laboratory'),
        id: Type.Integer(),
        title: Type.String(),
        max_score: Type.Number(),
        passing_score: Type.Number(),
        is_active: Type.Boolean({
          description: 'A retired exam or laboratory is listed if a student has a grade in it. It counts for no total.',
        }),
      }),
      { description: 'The exams and laboratories of the courses of the class.' },
    ),
    max_score: Type.Number({ description: 'The maximum of the active ones together.' }),
    students: Type.Array(
      Type.Object({
        user_id: Type.Integer(),
        username: Type.String(),
        full_name: Nullable(Type.String()),
        email: Type.String(),
        score: Type.Number({ description: 'The sum of the scores in the active ones.' }),
        passed: Type.Integer({ description: 'How many active ones are passed.' }),
        missing: Type.Integer({ description: 'How many active ones have no graded attempt.' }),
        results: Type.Array(Nullable(GradeSchema), {
          description: 'In the order of `subjects`; null without an attempt.',
        }),
      }),
    ),
  },
  { title: 'ClassGrades' },
);
