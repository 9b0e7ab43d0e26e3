import { type Static, Type } from 'typebox';
import { Name } from '../../http/protocol/fields.ts';
import { Id, Nullable, Timestamp } from '../../http/protocol/schemas.ts';

const Key = Type.String({
  maxLength: 20_000,
  description:
    'A private SSH key without a passphrase for an SSH address, or a token for an https address. It is stored encrypted and never returned.',
});

const fields = {
  name: Name,
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Of a Git repository: `https://…`, `ssh://…` or `user@host:path`, without a password.',
  }),
  branch: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 255, description: 'Null: the one that the repository names.' })),
  ),
  username: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[A-Za-z0-9_.@+-]+$',
        description: 'Sent with a token. Null: `git`, which most servers accept with a token.',
      }),
    ),
  ),
  key: Type.Optional(Nullable(Key)),
};
export const NewRepository = Type.Object(fields, { title: 'LessonRepositoryFields' });
export const RepositoryChanges = Type.Partial(Type.Object(fields), { title: 'LessonRepositoryChanges' });
export type RepositoryChange = Static<typeof RepositoryChanges>;

const Params = Nullable(
  Type.Record(Type.String(), Type.String(), { description: 'The values in the text of the code.' }),
);

export const RepositorySchema = Type.Object(
  {
    id: Nullable(Id),
    is_default: Type.Boolean({
      description: 'The lessons repository of the service, which its configuration names. Its `id` is null.',
    }),
    name: Type.String(),
    url: Nullable(Type.String({ description: 'Null: the lessons are those that come with the service.' })),
    branch: Nullable(Type.String()),
    username: Nullable(Type.String()),
    has_key: Type.Boolean(),
    commit: Nullable(Type.String({ description: 'Of the last successful update.' })),
    updated_at: Nullable(Timestamp),
    error: Nullable(Type.String({ description: 'Why the last update failed. Null: it did not.' })),
    error_code: Nullable(
      Type.String({ description: 'Of the error; /api/docs/errors lists these codes. Null: none, or an older one.' }),
    ),
    error_params: Params,
    failed_at: Nullable(Timestamp),
    courses: Type.Array(Type.Object({ id: Id, name: Type.String() })),
    push_path: Nullable(
      Type.String({
        description:
          'Where a Git host reports pushes, below the address of the service. Null: there is no push secret.',
      }),
    ),
    pushed_at: Nullable({ ...Timestamp, description: 'The last report with the push secret, in UTC. Null: none.' }),
  },
  { title: 'LessonRepository' },
);
export const PushSecretSchema = Type.Object(
  {
    push_path: Type.String({ description: 'Where the Git host reports pushes, below the address of the service.' }),
    secret: Type.String({
      description: 'For the settings of the Git host. It is stored encrypted, and never shown again.',
    }),
  },
  { title: 'PushSecret' },
);
export type ShownRepository = {
  id: number | null;
  is_default: boolean;
  name: string;
  url: string | null;
  branch: string | null;
  username: string | null;
  has_key: boolean;
  commit: string | null;
  updated_at: Date | null;
  error: string | null;
  error_code: string | null;
  error_params: Record<string, string> | null;
  failed_at: Date | null;
  courses: { id: number; name: string }[];
};

export const HostKeyAcceptance = Type.Object(
  {
    repository_id: Nullable(Id),
    fingerprint: Type.String({
      pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
      description: 'Of the key that the server has now, `sent` in `error_params` of `host_key_replaced`.',
    }),
  },
  { title: 'HostKeyAcceptance', description: '`repository_id` is null for the default repository.' },
);
export type AcceptedHostKey = Static<typeof HostKeyAcceptance>;

export const RepositoryTestSchema = Type.Object(
  {
    is_reachable: Type.Boolean(),
    commit: Nullable(Type.String({ description: 'The commit that the server has now. Null: none, or a failure.' })),
    reason: Nullable(Type.String({ description: 'Of a failure.' })),
    reason_code: Nullable(Type.String({ description: 'Of a failure; /api/docs/errors lists these codes.' })),
    reason_params: Params,
  },
  { title: 'LessonRepositoryTest' },
);
export type ShownTest = Static<typeof RepositoryTestSchema>;

export const RefreshSchema = Type.Object(
  {
    commit: Type.Union([Type.String(), Type.Null()], {
      description: 'The current commit. Null if the repository is empty.',
    }),
    has_changed: Type.Boolean(),
  },
  { title: 'RepositoryRefresh' },
);
