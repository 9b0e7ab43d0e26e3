import { Type } from 'typebox';
import { isOptional } from '../../http/protocol/fields.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

const Percent = Type.Number({ description: '0 to 100, with one decimal.' });

export const StatsSchema = Type.Object(
  {
    completed_themes: Type.Integer(),
    total_themes: Type.Integer(),
    percent: Percent,
    exams_passed: Type.Integer({ description: 'Exams, not attempts: one that was passed twice counts once.' }),
    exams_attempted: Type.Integer(),
    average_score_percent: Nullable(
      Type.Number({ description: 'Of all graded exam attempts, with one decimal. Null if there are none.' }),
    ),
    laboratories_passed: Type.Integer(),
    minutes_learned: Type.Integer({ description: 'The sum of `duration_minutes` of the completed themes.' }),
    current_streak_days: Type.Integer({
      description:
        'Days in a row (UTC), until today or yesterday, on which a theme was completed or an attempt was submitted.',
    }),
    longest_streak_days: Type.Integer(),
    active_containers: Type.Integer({ description: 'Running, or being created.' }),
  },
  { title: 'Statistics' },
);

/** The types of activity log entries in a user's feed. */
export const activityTypes = [
  'lesson_complete',
  'exam_start',
  'exam_submit',
  'exam_expire',
  'exam_abandon',
  'laboratory_start',
  'laboratory_submit',
  'laboratory_expire',
  'laboratory_abandon',
  'container_create',
  'container_delete',
  'container_full',
  'container_yield',
  'container_evict',
  'container_replace',
  'register',
  'student_view',
] as const;

export const ActivitySchema = Type.Object(
  {
    id: Type.Integer(),
    type: OneOf(...activityTypes),
    title: Type.String(),
    entity_type: Nullable(Type.String()),
    entity_id: Nullable(Type.Integer()),
    created_at: Timestamp,
  },
  { title: 'Activity' },
);

export const firstSteps = ['courses', 'students', 'class', 'images', 'exam_session', 'backup'] as const;

export const FirstStepSchema = Type.Object(
  {
    step: OneOf(...firstSteps),
    is_done: Type.Boolean({
      description:
        '`images`: the container engine responds and has every image of the active exams and laboratories. `backup`: `npm run backup` has succeeded. `students` of an instructor: also with a join code.',
    }),
    missing: Type.Optional(Type.Array(Type.String(), { description: 'The images that the engine does not have.' })),
  },
  { title: 'FirstStep' },
);

export const AnalyticsQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'Until today.' })),
});

export const AnalyticsSchema = Type.Object(
  {
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'A day in UTC; today is the last.' }),
        themes_completed: Type.Integer(),
        attempts_submitted: Type.Integer(),
      }),
      { description: 'Every day, including days without activity.' },
    ),
    courses: Type.Array(
      Type.Object({
        course_id: Type.Integer(),
        name: Type.String(),
        completed_themes: Type.Integer(),
        total_themes: Type.Integer(),
        percent: Percent,
      }),
      { description: 'In the order of the courses.' },
    ),
    scores: Type.Array(
      Type.Object({
        attempt_id: Type.Integer(),
        kind: OneOf('exam', 'laboratory'),
        exam_id: Nullable(Type.Integer()),
        laboratory_id: Nullable(Type.Integer()),
        title: Type.String(),
        score: Type.Number(),
        max_score: Type.Number(),
        percent: Percent,
        passed: Type.Boolean(),
        submitted_at: Timestamp,
      }),
      { description: 'The attempts submitted on these days, oldest first; at most the newest 500.' },
    ),
  },
  { title: 'Analytics' },
);

export const CoursePlaceQuery = Type.Object({
  course_id: Type.Optional(Id),
  section_id: Type.Optional(Id),
  is_optional: isOptional,
});

export const CourseAssessmentSchema = Type.Object(
  {
    kind: OneOf('exam', 'laboratory'),
    id: Type.Integer(),
    title: Type.String(),
    course_id: Type.Integer(),
    section_id: Nullable(Type.Integer({ description: 'Of a laboratory.' })),
    is_passed: Type.Boolean({ description: 'Whether the caller has passed an attempt whose results are visible.' }),
  },
  { title: 'CourseSubject' },
);

const minutes = Type.Integer({ minimum: 0 });
export const OpenCourseSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    icon: Type.String(),
    theme_count: Type.Integer(),
    laboratory_count: Type.Integer(),
    exam_count: Type.Integer(),
    duration_minutes: { ...minutes, description: 'The sum of those of its themes.' },
    sections: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        has_laboratory: Type.Boolean(),
        themes: Type.Array(Type.Object({ title: Type.String(), duration_minutes: minutes })),
      }),
    ),
  },
  { title: 'OpenCourse' },
);
