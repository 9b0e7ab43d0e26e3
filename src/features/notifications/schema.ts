import { Type } from 'typebox';
import type { MailKind, NotificationKind } from '../../database/tables.ts';
import { Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

export const notificationKinds = [
  'exam_opens',
  'time_left',
  'more_time',
  'results',
  'deadline',
  'announcement',
  'supervision',
] as const satisfies readonly NotificationKind[];

/** Of mails, those that a user can switch off. `exam_planned` is for moved exams as well. */
export const mailKinds = ['exam_planned', 'results', 'feedback', 'hands'] as const satisfies readonly MailKind[];

const id = (description?: string) => Nullable(Type.Integer(description === undefined ? {} : { description }));

export const NotificationSchema = Type.Object(
  {
    key: Type.String({ description: "Identifies it among the caller's. A second one of the same replaces the first." }),
    kind: OneOf(
      ...notificationKinds,
      'hand',
      'help',
      'report',
      'report_answer',
      'grade',
      'review',
      'evidence',
      'reopen',
      'reopened',
      'reopen_declined',
      'webhook',
      'account_deletion',
    ),
    title: Type.String({
      description:
        'Of the exam session, the attempt, the laboratory or the announcement. `hand`, `review` and `reopen`: the name of the student. `help`: of who helps. `evidence`: empty for administrators. `webhook`: its host. `account_deletion`: empty.',
    }),
    class_name: Nullable(Type.String()),
    exam_id: id(),
    laboratory_id: id(),
    attempt_id: id(),
    class_id: id(),
    course_id: id('Of `report`: the course of the task. Null: it belongs to none.'),
    announcement_id: id(),
    session_id: id('Of the exam session that opens, that the caller supervises, or that evidence was of.'),
    minutes: id('That are left, or were added.'),
    until: {
      ...NullableTimestamp,
      description:
        'When the exam session closes, the time of the attempt is over, the laboratory is due, or the account is deleted.',
    },
    created_at: Timestamp,
    is_read: Type.Boolean(),
  },
  {
    title: 'Notification',
    description:
      '`exam_opens`: an exam session is open. `time_left`: the time of an attempt is nearly over. `more_time`: it was extended. `results`: the results of an attempt can be seen. `deadline`: a laboratory is due soon. `announcement`: an unread announcement. `supervision`: the caller was added to an exam session as a supervisor. `hand`: a student asks for help. `help`: somebody sees to the hand of the caller. `report`: a task of the exam or laboratory was reported. `report_answer`: the staff have answered what the caller reported. `grade`: somebody has decided or commented on an attempt. `review`: a student asks for a review. `evidence`: old evidence was deleted to make room, of an exam session for its instructors, of any attempts for administrators. `reopen`: a student asks to have an attempt back. `reopened`: the caller has it back. `reopen_declined`: it stays as it is. `webhook`: the service has paused a webhook, for administrators. `account_deletion`: the account will be deleted unless there is a login. The last twelve cannot be switched off.',
  },
);

export const Reading = Type.Object(
  {
    keys: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, description: 'Without it: all.' }),
    ),
  },
  { title: 'ReadNotifications', 'x-optional': true },
);

const flag = Type.Boolean();
export const NotificationSettings = Type.Object(
  {
    exam_opens: flag,
    time_left: flag,
    more_time: flag,
    results: flag,
    deadline: flag,
    announcement: flag,
    supervision: flag,
  },
  { title: 'NotificationSettings', description: 'Whether the caller gets notifications of each kind.' },
);
export const NotificationSettingsChange = Type.Partial(NotificationSettings, { title: 'NotificationSettingsChange' });

export const MailSettings = Type.Object(
  {
    exam_planned: Type.Boolean({ description: 'An exam session was planned or moved.' }),
    results: Type.Boolean({ description: 'Results can be seen.' }),
    feedback: Type.Boolean({ description: 'A request for a review was answered.' }),
    hands: Type.Boolean({ description: 'To staff: students ask for help and nobody sees to them.' }),
  },
  {
    title: 'MailSettings',
    description: 'Whether the caller gets mails of each kind. Mails about the account cannot be switched off.',
  },
);
export const MailSettingsChange = Type.Partial(MailSettings, { title: 'MailSettingsChange' });
