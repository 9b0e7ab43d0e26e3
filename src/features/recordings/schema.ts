import { Type } from 'typebox';
import { Nullable, NullableTimestamp, Timestamp } from '../../http/schemas.ts';
import type { RecordingRow } from './store.ts';

export const RecordingSchema = Type.Object(
  {
    id: Type.Integer(),
    attempt_id: Type.Integer(),
    cols: Type.Integer({ description: "The terminal's size at the start." }),
    rows: Type.Integer(),
    started_at: Timestamp,
    ended_at: NullableTimestamp,
    duration_seconds: Nullable(Type.Number({ description: 'Null while it is being written.' })),
    bytes: Type.Integer({
      description: 'Of the file; of one that is being written until now, 0 where that cannot be read.',
    }),
    is_truncated: Type.Boolean({
      description: 'Output is missing: it was longer than `RECORDING_MAX_MB`, or could not be written.',
    }),
  },
  { title: 'Recording' },
);

export function toRecording({ key: _key, ...row }: RecordingRow) {
  const duration = row.ended_at === null ? null : (row.ended_at.getTime() - row.started_at.getTime()) / 1000;
  return { ...row, duration_seconds: duration };
}
