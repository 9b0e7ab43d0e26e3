import { Type } from 'typebox';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

const text = Type.String({ maxLength: 200, description: 'What the student asks, one line. Can be empty.' });

export const HandSchema = Type.Object(
  {
    ...{ id: Id, user_id: Id, username: Type.String(), full_name: Nullable(Type.String()) },
    class_name: Nullable(Type.String({ description: 'The class of the student with the course. Null: none.' })),
    kind: OneOf('sandbox', 'exam', 'laboratory'),
    attempt_id: Nullable(Type.Integer()),
    container_id: Nullable(Type.Integer({ description: 'Null while the machine of the attempt is being replaced.' })),
    title: Type.String({ description: 'Of the attempt or the lesson; without one the name of the sandbox.' }),
    text,
    raised_at: { ...Timestamp, description: 'When it was raised first. With a new text it stays.' },
    ahead: Type.Integer({ description: 'The hands before it that nobody sees to, in the same course or session.' }),
    taken_by: Nullable(Type.String({ description: 'The name of who sees to it. Null: nobody yet.' })),
    answer: Nullable(Type.String({ description: 'Of the staff. With it the hand is no longer raised.' })),
    is_watchable: Type.Boolean({ description: 'Whether the caller may watch the terminals of the student.' }),
  },
  { title: 'Hand', description: 'The request of a student for help. A user has at most one.' },
);
export const OwnHandSchema = Type.Object(
  { is_allowed: Type.Boolean({ description: 'Whether a hand may be raised there.' }), hand: Nullable(HandSchema) },
  { title: 'OwnHand' },
);
export const NewHandBody = Type.Object(
  {
    container_id: {
      ...Id,
      description: 'Where it is raised: a sandbox of the caller, or the container of an attempt.',
    },
    theme_id: Type.Optional({ ...Id, description: 'The lesson beside a sandbox. It decides who may help.' }),
    text: Type.Optional(text),
  },
  { title: 'NewHand' },
);
export const HandQuery = Type.Object({ container_id: Id });
export const Closing = Type.Object(
  { text: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'An answer of the staff.' })) },
  { title: 'ClosedHand', 'x-optional': true },
);
