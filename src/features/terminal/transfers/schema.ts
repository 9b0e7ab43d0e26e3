import { Type } from 'typebox';
import { Timestamp } from '../../../http/protocol/schemas.ts';

export const ShellSchema = Type.Object(
  {
    id: Type.String({ description: 'The `session` of its WebSocket, for its user and for those who may watch it.' }),
    begun_at: Timestamp,
    is_connected: Type.Boolean({ description: 'False: its user has lost the connection and may come back.' }),
  },
  { title: 'Shell' },
);

const Path = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'The path of the file. What is not absolute begins in the current folder of the shell `session`, or in the home folder.',
});
const Session = Type.Optional(
  Type.String({ pattern: '^[\\w-]{1,64}$', description: 'The id of a shell of the caller in the container.' }),
);

export const DownloadQuery = Type.Object({ path: Path, session: Session });

export const UploadQuery = Type.Object({
  path: Path,
  session: Session,
  is_replacing: Type.Optional(Type.Boolean({ default: false, description: 'Replaces a file that exists.' })),
});

export const UploadBody = Type.String({
  format: 'binary',
  description: 'The content of the file, with `Content-Length`.',
});

export const UploadedSchema = Type.Object(
  { path: Type.String({ description: 'Absolute.' }), bytes: Type.Integer() },
  { title: 'UploadedFile' },
);
