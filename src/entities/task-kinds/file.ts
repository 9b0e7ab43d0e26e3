import { Type } from 'typebox';
import { Nullable } from '../../http/protocol/schemas.ts';
import type { TaskKind } from './kind.ts';

const fields = {
  path: Nullable(
    Type.String({
      maxLength: 1000,
      pattern: '^/[^/]',
      description:
        'Of a task of the kind `file`: where the file is on the machine, an absolute path. It is collected when the attempt ends, and by a check of a laboratory. Null, the default: the student uploads it.',
    }),
  ),
};
type Fields = { path: string | null };

/** A file that a person grades. */
export const file: TaskKind<Fields, typeof fields, typeof fields> = {
  fields,
  inputs: fields,
  defaults: { path: null },
  staffFields: [],
  takes: 'file',
  isGradedByPeople: true,
  needsMachine: ({ path }) => path !== null,
  complete: (fields) => fields,
  problems: () => [],
  filled: ({ path }, { exactly }) => ({ path: path && exactly(path) }),
  shown: (fields) => fields,
};
