import { type TSchema, Type } from 'typebox';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

/** Characters of a report, and of its answer. */
const maxText = 1000;
const line = (description: string) => Type.String({ minLength: 1, maxLength: maxText, pattern: '\\S', description });
const said = line('What is wrong, in the words of the student.');
const answer = line('What the staff say to all who reported the task.');
const named = <Schema extends TSchema>(schema: Schema, description: string) => ({ ...schema, description });

export const ReportText = Type.Object({ text: said }, { title: 'NewTaskReport' });
export const AnswerText = Type.Object({ text: answer }, { title: 'TaskReportAnswer' });

export const OwnReportSchema = Type.Object(
  {
    ...{ id: Id, task_id: Type.Integer(), text: said },
    reported_at: named(Timestamp, 'When it was reported last.'),
    answer: named(Nullable(Type.String()), 'Of the staff. Null: there is none yet.'),
    answered_by: named(Nullable(Type.String()), 'The name of who answered. Null as well once that account is deleted.'),
    answered_at: named(NullableTimestamp, 'When the staff answered. Null: not yet.'),
  },
  { title: 'OwnTaskReport', description: 'What the caller has reported about a task. There is one for each task.' },
);

const ReportSchema = Type.Object(
  {
    ...{ id: Id, user_id: Id, username: Type.String(), full_name: Nullable(Type.String()) },
    attempt_id: named(Type.Integer(), 'The latest attempt of the student with the task, when it was reported.'),
    is_attempt_visible: Type.Boolean({ description: 'Whether the caller may see that attempt.' }),
    revision: named(Nullable(Type.Integer()), 'Of the assessment in that attempt. Null: not known.'),
    is_revised: Type.Boolean({ description: 'Whether the assessment was changed since that attempt began.' }),
    text: said,
    output: Nullable(
      Type.String({
        description:
          'What the check of the task printed last before the report, at most its last 8000 characters. Null: it had not run.',
      }),
    ),
    reported_at: named(Timestamp, 'When it was reported last.'),
  },
  { title: 'TaskReport' },
);
export const TaskReportsSchema = Type.Object(
  {
    kind: OneOf('exam', 'laboratory'),
    assessment_id: named(Id, 'Identifies the exam or the laboratory.'),
    assessment_title: Type.String({ description: 'The title of the exam or the laboratory.' }),
    course_id: Nullable(Type.Integer()),
    ...{ task_id: Type.Integer(), task_title: Type.String({ description: 'As it was when it was reported.' }) },
    is_deleted: Type.Boolean({ description: 'Whether the task was deleted since.' }),
    report_count: Type.Integer({ description: 'The reports without an answer.' }),
    reports: Type.Array(ReportSchema, { description: 'The newest 20 of them, the newest first.' }),
  },
  { title: 'TaskReports', description: 'What students have reported about one task, without an answer.' },
);
