import { Type } from 'typebox';
import type { Role } from '../../database/tables.ts';
import { Nullable, OneOf } from '../../http/protocol/schemas.ts';

const Name = Nullable(
  Type.String({
    maxLength: 60,
    description: 'The name of the installation. Null: the pages have a general one in the language of the reader.',
  }),
);
const Welcome = Type.String({
  maxLength: 2000,
  description: 'Markdown, which the pages before the login show. Empty: there is none.',
});
const Accent = Nullable(
  Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    description: 'The chosen colour of buttons and links, such as `#0b6b62`. Null: that of the pages.',
  }),
);
const Color = Type.String({ description: '`#rrggbb`' });
const AccentColors = Type.Object(
  { accent: Color, accent_strong: Color, accent_soft: Color, on_accent: Color },
  { title: 'AccentColors', description: 'Colours of one theme that follow from the accent, with readable contrasts.' },
);
const shown = {
  name: Name,
  logo_url: Nullable(Type.String({ description: 'The address of a WebP. Another logo has another address.' })),
  colors: Nullable(
    Type.Object({ light: AccentColors, dark: AccentColors }, { description: 'Null: those of the pages.' }),
  ),
  welcome: Welcome,
  has_passkeys: Type.Boolean({
    description: 'Whether users can log in with passkeys: `PUBLIC_URL` is an address with https.',
  }),
  has_mail: Type.Boolean({
    description: 'Whether the service sends mail: then a forgotten password can be replaced by a link.',
  }),
  course_creators: {
    ...OneOf('instructors', 'admins'),
    description: 'Who creates courses, besides administrators: `COURSE_CREATORS`.',
  },
};

export const SiteSchema = Type.Object(
  {
    ...shown,
    has_public_courses: Type.Boolean({ description: 'Whether `GET /api/catalogue` answers.' }),
  },
  { title: 'Site' },
);

const HasPublicCourses = Type.Boolean({
  description: 'Whether visitors without an account see the list of courses. With `CATALOGUE_IS_OPEN` they always do.',
});

const SecondFactorRoles = Type.Array(Type.Unsafe<Role>(OneOf('student', 'instructor', 'admin')), {
  maxItems: 3,
  description:
    'Roles whose users need a second factor. Those who have none set it up before they can do anything else (403 `second_factor_missing`).',
});

const HasRecordingConsent = Type.Boolean({
  description:
    'Whether students are asked before their terminals in exams are recorded. Who does not agree is not recorded. False: all are recorded.',
});

const HasKeptResults = Type.Boolean({
  description:
    'Whether the deletion of a user keeps ended attempts, points and grades under a pseudonym. False: all is deleted.',
});

/** The minimum of each, so that a mistake removes nothing of this term. */
const days = (minimum: number, description: string) => Type.Integer({ minimum, maximum: 3650, description });
const activity_days = days(30, 'Days that entries of the activity log are kept.');
const work_days = days(
  30,
  'Days after the end of an attempt that what is behind its results is kept: answers and files, outputs of checks, comments, reasons of decisions, recordings, evidence. The points stay. Attempts that wait for a grading, a review or a regrade wait for it.',
);
const account_days = days(
  180,
  'Days that the account of a student without a login is kept, unless an exam or an attempt of it is open. Its user is notified 30 days before.',
);
/** Null: until the account is deleted. */
const retention = {
  ...{ activity_days: Nullable(activity_days), work_days: Nullable(work_days), account_days: Nullable(account_days) },
};
export const RetentionQuery = Type.Partial(Type.Object({ activity_days, work_days, account_days }));
export const RetentionDueSchema = Type.Object(
  {
    activity: Type.Integer({ description: 'Entries of the activity log.' }),
    work: Type.Integer({ description: 'Attempts of which only the results would stay.' }),
    accounts: Type.Integer({
      description: 'Accounts whose users would be notified, and that are deleted 30 days later.',
    }),
  },
  { title: 'RetentionDue' },
);

export const SiteSettingsSchema = Type.Object(
  {
    ...shown,
    accent: Accent,
    has_public_courses: HasPublicCourses,
    second_factor_roles: SecondFactorRoles,
    has_recording_consent: HasRecordingConsent,
    has_kept_results: HasKeptResults,
    ...retention,
    environment: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The variable.' }),
        value: Type.String({ description: 'The value in use. Empty: none.' }),
      }),
      { description: 'Related settings of the environment, which only an operator can change.' },
    ),
  },
  { title: 'SiteSettings' },
);

export const SiteBody = Type.Object(
  {
    name: Type.Optional(Name),
    accent: Type.Optional(Accent),
    welcome: Type.Optional(Welcome),
    has_public_courses: Type.Optional(HasPublicCourses),
    second_factor_roles: Type.Optional(SecondFactorRoles),
    has_recording_consent: Type.Optional(HasRecordingConsent),
    has_kept_results: Type.Optional(HasKeptResults),
    ...Type.Partial(Type.Object(retention)).properties,
  },
  { title: 'SiteChanges' },
);
