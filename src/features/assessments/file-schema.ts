import { Type } from 'typebox';
import { Id, Nullable } from '../../http/protocol/schemas.ts';

/** A user of the container, or a user and a group, by name or number. */
export const FileOwner = Type.String({
  pattern: '^[a-z0-9_][a-z0-9_.-]{0,31}(:[a-z0-9_][a-z0-9_.-]{0,31})?$',
  description: 'a user of the machine, or `user:group`',
});
export const FileMode = Type.String({ pattern: '^[0-7]{3,4}$', description: 'three or four octal digits' });

export const SetupFile = Type.Object(
  {
    id: Type.Integer(),
    task_id: Nullable(Type.Integer({ description: 'Null: of the exam or laboratory itself.' })),
    path: Type.String(),
    owner: Type.String(),
    mode: Type.String({ description: 'Four octal digits.' }),
    bytes: Type.Integer(),
    digest: Type.String({ description: 'SHA-256 of its content.' }),
  },
  { title: 'SetupFile' },
);

const fields = {
  path: Type.String({ minLength: 1, maxLength: 1000, description: 'Where it is on the machine: an absolute path.' }),
  owner: Type.Optional(FileOwner),
  mode: Type.Optional(FileMode),
};
export const NewSetupFile = Type.Object({ ...fields, task_id: Type.Optional(Id) });
export const SetupFileFields = Type.Object(fields, { title: 'SetupFileFields' });
