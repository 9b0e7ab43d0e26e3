import { type Static, Type } from 'typebox';
import { Name } from '../../http/protocol/fields.ts';
import { Nullable, NullableTimestamp, OneOf } from '../../http/protocol/schemas.ts';
import { imageParts, imageProblems, imageReference } from '../../values/image-problems.ts';

const Credential = Nullable(
  Type.Object(
    {
      username: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\x00-\\x20:]+$' }),
      password: Type.String({ minLength: 1, maxLength: 8000, description: 'Or a token.' }),
    },
    {
      title: 'RegistryCredential',
      description:
        'Of the registry. It is stored encrypted and sent to the registry only; the password is never returned.',
    },
  ),
);

export const NewImageFields = Type.Object(
  {
    name: Name,
    reference: Type.String({
      ...{ maxLength: 290, pattern: imageReference },
      description:
        'With its registry, such as `registry.example.com/school/net:2` or `docker.io/library/debian@sha256:…`. Without a tag: `latest`. Exams, laboratories and templates name it so.',
    }),
    credential: Type.Optional(Credential),
  },
  { title: 'ContainerImageFields' },
);
export type NewImage = Static<typeof NewImageFields>;

export const ImageChanges = Type.Partial(Type.Object({ name: Name, credential: Credential }), {
  title: 'ContainerImageChanges',
});
export type ImageChange = Static<typeof ImageChanges>;

export const ImageSchema = Type.Object(
  {
    id: Nullable(Type.Integer({ description: 'Null: the caller does not change it here.' })),
    is_shipped: Type.Boolean({ description: 'It is built by `npm run images`.' }),
    course_id: Nullable(Type.Integer({ description: 'Of the course that has added it and alone uses it.' })),
    course_name: Nullable(Type.String({ description: 'Of that course.' })),
    name: Type.String(),
    reference: Type.String({ description: 'What exams, laboratories and templates name.' }),
    username: Nullable(Type.String({ description: 'Of the credential. Null: there is none.' })),
    state: OneOf('pulling', 'ready', 'failed'),
    percent: Type.Integer({ description: 'Of the pull. On Kubernetes 10 until a node has the image.' }),
    problem: Nullable(OneOf(...imageProblems)),
    lacks: Type.Array(OneOf(...imageParts), { description: 'With `parts_missing`: what the image lacks.' }),
    digest: Nullable(
      Type.String({ description: 'In its registry, of the image that is used. Null: none yet, or not known.' }),
    ),
    is_usable: Type.Boolean({
      description: 'An image of the reference has passed its examination. It stays in use until another one has.',
    }),
    examined_at: { ...NullableTimestamp, description: 'When the service last examined it, in UTC. Null: never.' },
    created_at: NullableTimestamp,
  },
  { title: 'ContainerImage' },
);
export type ShownImage = {
  id: number | null;
  is_shipped: boolean;
  course_id: number | null;
  course_name: string | null;
  name: string;
  reference: string;
  username: string | null;
  state: 'pulling' | 'ready' | 'failed';
  percent: number;
  problem: (typeof imageProblems)[number] | null;
  lacks: (typeof imageParts)[number][];
  digest: string | null;
  is_usable: boolean;
  examined_at: Date | null;
  created_at: Date | null;
};
