import { Type } from 'typebox';
import { Nullable, NullableTimestamp, Timestamp } from '../../http/protocol/schemas.ts';
import type { RecordingRow } from './store.ts';

export const RecordingSchema = Type.Object(
  {
    id: Type.Integer(),
    attempt_id: Type.Integer(),
    cols: Type.Integer({ description: "The terminal's size at the start." }),
    rows: Type.Integer(),
    started_at: Timestamp,
    ended_at: NullableTimestamp,
    duration_seconds: Nullable(Type.Number({ description: 'Null while the recording is being written.' })),
    bytes: Type.Integer({
      description: 'The current size of the file. 0 if it cannot be read.',
    }),
    is_truncated: Type.Boolean({
      description: 'Output is missing, because it exceeded 20 MB or could not be written.',
    }),
  },
  { title: 'Recording' },
);

export function toRecording({ key: _key, ...row }: RecordingRow) {
  const duration = row.ended_at === null ? null : (row.ended_at.getTime() - row.started_at.getTime()) / 1000;
  return { ...row, duration_seconds: duration };
}
