import { Type } from 'typebox';
import { NullableTimestamp, OneOf } from '../../http/protocol/schemas.ts';
import type { EvidenceKeeper } from './keeper.ts';
import type { EvidenceRow } from './store.ts';

export const EvidenceSchema = Type.Object(
  {
    attempt_id: Type.Integer(),
    status: {
      ...OneOf('none', 'keeping', 'kept', 'failed'),
      description:
        '`keeping`: it is being collected. `failed`: nothing could be kept. `none`: the attempt runs, or nothing is kept of it any more.',
    },
    kept_at: { ...NullableTimestamp, description: 'When it was collected, in UTC. Null: it is not kept.' },
    expires_at: {
      ...NullableTimestamp,
      description: 'When it is deleted, in UTC, unless that happens earlier to make room. Null: it is not kept.',
    },
    bytes: Type.Integer({ description: 'Bytes of all of it. 0: it is not kept.' }),
    is_restorable: Type.Boolean({
      description: 'Whether a machine can be made from it, to reopen the attempt or to grade it again.',
    }),
    notes: Type.Array(
      OneOf('container_lost', 'layer_failed', 'files_left_out', 'recordings_missing', 'storage_failed'),
      {
        description:
          'What is missing. `container_lost`: the machine was gone. `layer_failed`: its files could not be read. `files_left_out`: the largest changed files, beyond 256 MiB. `recordings_missing`: some could not be read. `storage_failed`: the storage was full or failed.',
      },
    ),
    public_key: Type.String({
      description:
        'Of this installation, which signs evidence: an Ed25519 key in base64, to compare it with the one in the archive.',
    }),
  },
  { title: 'Evidence', description: 'What is kept of what an attempt left when it ended.' },
);

export function toEvidence(attempt_id: number, row: EvidenceRow | undefined, keeper: EvidenceKeeper) {
  const kept = row?.status === 'kept' && row.kept_at !== null ? row : undefined;
  return {
    attempt_id,
    status: row?.status ?? ('none' as const),
    kept_at: kept?.kept_at ?? null,
    expires_at: kept?.kept_at ? keeper.expiryOf(kept.kept_at) : null,
    bytes: kept?.bytes ?? 0,
    is_restorable: kept !== undefined && kept.layer_bytes > 0 && kept.path_bytes > 0,
    notes: row?.notes ?? [],
    public_key: keeper.publicKey,
  };
}
