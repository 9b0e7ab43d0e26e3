import { Type } from 'typebox';
import type { DeletedKind } from '../../database/tables.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

/** The compiler checks that none is missing. */
const kinds: Record<DeletedKind, true> = {
  ...{ course: true, section: true, theme: true, exam: true, laboratory: true, exam_task: true, laboratory_task: true },
  ...{ sandbox_template: true, registration_code: true, class: true, class_join_code: true, class_grade_column: true },
  ...{ exam_session: true, announcement: true, note: true, identity_provider: true, lti_platform: true },
};
const Kind = OneOf<DeletedKind>(...(Object.keys(kinds) as DeletedKind[]));

export const DeletionSchema = Type.Object(
  {
    id: Id,
    kind: Kind,
    entity_id: Type.Integer({ description: 'The id that it had, and has again after it is restored.' }),
    title: Type.String(),
    deleted_by: Nullable(Type.String({ description: 'The username. Null if the account was deleted.' })),
    deleted_at: Timestamp,
    expires_at: Type.Unsafe<Date>({ type: 'string', format: 'date-time', description: 'Then it is deleted for good.' }),
    row_count: Type.Integer({ description: 'Rows of the database that are restored with it, itself included.' }),
  },
  { title: 'Deletion' },
);

export const UndoBody = Type.Object({ kind: Kind, entity_id: Id }, { title: 'UndoDeletion' });

export const RestoredSchema = Type.Object(
  { kind: Kind, entity_id: Type.Integer(), title: Type.String() },
  { title: 'Restored' },
);
