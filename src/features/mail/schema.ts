import { Type } from 'typebox';
import { Id, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

export const MailSchema = Type.Object(
  {
    id: Id,
    user_id: Type.Integer({ description: 'Of its recipient.' }),
    username: Type.String(),
    recipient: Type.String({ description: 'The address.' }),
    kind: OneOf(
      'address',
      'password',
      'invitation',
      'exam_planned',
      'exam_moved',
      'results',
      'feedback',
      'hands',
      'account_deletion',
    ),
    status: OneOf('queued', 'failed'),
    attempts: Type.Integer({ description: 'How often the mail server was asked to take it.' }),
    problem: Type.String({ description: 'The last answer of the mail server, or why it could not be reached.' }),
    created_at: Timestamp,
    next_attempt_at: { ...NullableTimestamp, description: 'Null: it has failed, and is not tried again by itself.' },
  },
  {
    title: 'Mail',
    description:
      'A mail that the mail server has not taken. `address`: to confirm an address. `password`: to set a new password. `feedback`: a review was answered. `hands`: to staff, raised hands. `account_deletion`: the account will be deleted unless there is a login. Its text is not shown: it can have a link that logs in.',
  },
);

export const MailTestSchema = Type.Object(
  {
    is_sent: Type.Boolean({ description: 'Whether the mail server has taken it.' }),
    recipient: Type.String({ description: 'The address of the caller.' }),
    answer: Type.String({ description: 'Of the mail server, or why it could not be reached.' }),
  },
  { title: 'MailTest' },
);
