import { type Static, Type } from 'typebox';
import { Name } from '../../http/protocol/fields.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { shownKinds } from './course-store.ts';
import { platformProblems } from './platform-access.ts';

const address = (description: string) =>
  Type.String({ maxLength: 1000, pattern: '^https?://[^\\s/?#]+[^\\s#]*$', description });
const fields = {
  name: Name,
  issuer: Type.String({ minLength: 1, maxLength: 500, description: 'The platform, as it names itself: its `iss`.' }),
  client_id: Type.String({ minLength: 1, maxLength: 500, description: 'The identifier of this service there.' }),
  authorization_url: address('Where a launch asks the platform who the user is.'),
  token_url: address('Where the platform gives access tokens for its services.'),
  jwks_url: address('Where the platform publishes its keys.'),
};
const choices = {
  token_audience: Nullable(address('For whom access tokens are requested. Null: the token URL.')),
  deployment_ids: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 100,
    description: 'Only launches of these deployments are accepted.',
  }),
  origins: Type.Array(Type.String({ maxLength: 300, pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]+)?/?$' }), {
    maxItems: 20,
    description: 'Whose pages may show launches in a frame, such as `https://moodle.example.com`.',
  }),
  is_active: Type.Boolean({ description: 'Whether launches are accepted. By default they are not.' }),
  is_linking_by_email: Type.Boolean({
    description:
      'Whether the platform has verified the addresses of its users: a launch without an account gets the account with the address, unless that is an administrator. By default it does not.',
  }),
  makes_instructors: Type.Boolean({
    description: 'Whether instructors of its courses become instructors here. By default they do not.',
  }),
};
export const NewPlatformFields = Type.Object(
  { ...fields, ...Type.Partial(Type.Object(choices)).properties },
  { title: 'LtiPlatformFields' },
);
export type NewPlatform = Static<typeof NewPlatformFields>;
export const PlatformChanges = Type.Partial(Type.Object({ ...fields, ...choices }), { title: 'LtiPlatformChanges' });
export type PlatformChange = Static<typeof PlatformChanges>;
export const PlatformSchema = Type.Object(
  {
    ...{ id: Id, ...fields, ...choices },
    user_count: Type.Integer({ description: 'Users whom it has sent.' }),
    course_count: Type.Integer({ description: 'Its courses that have opened this service.' }),
    created_at: Timestamp,
  },
  { title: 'LtiPlatform' },
);
export const PlatformTestSchema = Type.Object(
  { problems: Type.Array(OneOf(...platformProblems), { description: 'Empty: a launch can succeed.' }) },
  { title: 'LtiPlatformTest' },
);
export const RegistrationLinkSchema = Type.Object(
  {
    url: Type.String({ description: 'The address to give to the platform. It works once.' }),
    expires_at: Timestamp,
  },
  { title: 'LtiRegistrationLink' },
);

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
export const LoginHintsSchema = Type.Object(
  {
    iss: text(500, 'The issuer of the platform.'),
    login_hint: text(4000, 'The user, for the platform.'),
    target_link_uri: Type.Optional(text(2000, 'The address of this service.')),
    lti_message_hint: Type.Optional(text(8000, 'The link, for the platform.')),
    client_id: Type.Optional(text(500, 'The identifier of this service there.')),
    lti_deployment_id: Type.Optional(text(255, 'The deployment of this service there.')),
  },
  { title: 'LtiLogin' },
);
export type LoginHints = Static<typeof LoginHintsSchema>;
export const LaunchForm = Type.Object(
  {
    id_token: Type.Optional(text(16_000, 'The signed message of the platform.')),
    state: Type.Optional(text(4000, 'Of the launch that the browser has begun.')),
    error: Type.Optional(text(500, 'Why the platform has refused.')),
  },
  { title: 'LtiLaunch' },
);
export const RegistrationQuery = Type.Object({
  key: text(1000, 'Of the link of an administrator.'),
  openid_configuration: text(2000, 'Where the platform describes itself.'),
  registration_token: Type.Optional(text(8000, 'Of the platform, for the registration.')),
});
export const KeySetSchema = Type.Object(
  {
    keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Public keys, as in RFC 7517.' }),
  },
  { title: 'LtiKeySet' },
);

const launch = Type.String({ minLength: 1, maxLength: 16_000, description: 'Of the document that a launch opens.' });
export const LaunchBody = Type.Object({ launch }, { title: 'LtiLaunchReference' });
export const ClassBody = Type.Object(
  {
    launch,
    class_id: Nullable(Type.Integer({ ...Id, description: 'Null: a new class with the title of the course.' })),
  },
  { title: 'LtiClassChoice' },
);
const shown = { kind: OneOf(...shownKinds), id: Id };
export const ShownBody = Type.Object({ launch, ...shown }, { title: 'LtiItemChoice' });
export const ChoicesSchema = Type.Object(
  {
    course_title: Type.String({ description: 'Of the course of the platform.' }),
    class_id: Nullable(Type.Integer({ description: 'The class that follows the course. Null: none yet.' })),
    classes: Type.Array(Type.Object({ id: Id, name: Name }), {
      description: 'The classes that may follow the course.',
    }),
    items: Type.Array(
      Type.Object({
        ...shown,
        title: Type.String(),
        group_title: Nullable(Type.String({ description: 'The course, and the section of a lesson.' })),
      }),
      { description: 'What a link can show.' },
    ),
  },
  { title: 'LtiChoices' },
);
export const ShownSchema = Type.Object(
  {
    path: Type.String({ description: 'The page that the link shows.' }),
    return_url: Nullable(Type.String({ description: 'Where the browser posts `message` as `JWT`. Null: nowhere.' })),
    message: Nullable(Type.String({ description: 'The signed answer to the platform. Null: none.' })),
  },
  { title: 'LtiShownItem' },
);

export const ClassCourseParams = Type.Object({ id: Id, course_id: Id });
export const ClassCourseSchema = Type.Object(
  {
    id: Id,
    platform_name: Type.String({ description: 'The platform, as administrators have named it.' }),
    title: Type.String({ description: 'The course, as the platform names it.' }),
    has_members: Type.Boolean({ description: 'Whether the platform lets its members be read.' }),
    synchronized_at: Nullable({
      ...Timestamp,
      description: 'When the class last had the members of the course. Null: never.',
    }),
    problem: Nullable({
      ...OneOf('refused', 'unreachable', 'unreadable', 'too_many'),
      description: 'Why the members could not be read now. It is tried again every hour. Null: they could.',
    }),
    waiting_grades: Type.Integer({ description: 'Grades that are to be sent to the platform.' }),
    failed_grades: Type.Integer({ description: 'Grades that the platform has refused for good.' }),
    grade_problem: Nullable({
      ...OneOf('refused', 'unreachable', 'no_column'),
      description:
        'Why the last of them was not sent. `no_column`: its book has no column for the link. Null: nothing was wrong.',
    }),
  },
  { title: 'ClassLtiCourse' },
);
