import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { directionQuery, sortQuery } from '../../http/lists/sorting.ts';
import { userChoiceFields } from '../../http/lists/user-choice.ts';
import { Description, Name } from '../../http/protocol/fields.ts';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { RegisterBody } from '../auth/schema.ts';

const Role = OneOf('student', 'assistant', 'instructor');
/** Beyond ten years a date is a mistake. */
export const maxShiftDays = 3660;
const Search = Type.Optional(Type.String({ maxLength: 200, minLength: 1 }));

const assistants =
  'Whether its assistants grade the answers that people grade, in laboratories and in exams outside of sessions. Those whose own role is student do not.';

export const ClassSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    is_archived: Type.Boolean(),
    has_assistant_graders: Type.Boolean({ description: assistants }),
    course_ids: Type.Array(Type.Integer(), { description: 'The courses that are assigned to the class.' }),
    member_count: Type.Integer(),
    is_grade_book_visible: Type.Boolean({ description: 'Whether students see their own grades.' }),
    my_role: Nullable(Role, {
      description: 'The role of the caller in the class. Null if the caller is not a member.',
    }),
    created_at: Timestamp,
  },
  { title: 'Class' },
);

const fields = {
  description: Type.Optional(Description),
  is_archived: Type.Optional(Type.Boolean({ description: 'An archived class gets no members and no join codes.' })),
  has_assistant_graders: Type.Optional(Type.Boolean({ description: assistants })),
  course_ids: Type.Optional(Type.Array(Id, { maxItems: 5000, description: 'Replaces the courses of the class.' })),
};
export const NewClass = Type.Object({ name: Name, ...fields }, { title: 'NewClass' });
export const ClassChange = Type.Object({ name: Type.Optional(Name), ...fields }, { title: 'ClassChange' });
const move = {
  shift_days: Type.Optional(
    Type.Integer({
      ...{ minimum: -maxShiftDays, maximum: maxShiftDays },
      description:
        'By which all dates are moved, 0 by default. They keep their time of the day in the time zone of the school.',
    }),
  ),
  starts_on: Type.Optional(
    Type.String({
      ...{ format: 'date' },
      description:
        'Instead of `shift_days`: the day of the first date of the copy in the time zone of the school, such as `2027-09-01`. The others keep their distance from it. 422: the dates would move by more than 3660 days.',
    }),
  ),
};
export const ClassCopy = Type.Object({ name: Name, ...move }, { title: 'ClassCopy' });
export const CopyDatesQuery = Type.Object(move);
export const MovedDateSchema = Type.Object(
  {
    part: Type.String({ description: 'The table: `exam_sessions`, `laboratory_deadlines` or `announcements`.' }),
    title: Type.String({ description: 'Of the exam session, the laboratory or the announcement.' }),
    field: Type.String({ description: 'Such as `opens_at`.' }),
    before: { ...Timestamp, description: 'The date of the class.' },
    after: { ...Timestamp, description: 'The date of the copy.' },
    is_weekend: Type.Boolean({ description: 'Whether the new date is a Saturday or a Sunday.' }),
  },
  { title: 'MovedDate' },
);
export const ClassArchiving = Type.Object(
  {
    class_ids: Type.Array(Id, { minItems: 1, maxItems: 100, description: 'The classes that change together.' }),
    is_archived: Type.Optional(
      Type.Boolean({ default: true, description: 'False takes them out of the archive. Default: true.' }),
    ),
  },
  { title: 'ClassArchiving' },
);
export const ClassListQuery = Type.Object({
  q: Search,
  is_archived: Type.Optional(Type.Boolean()),
  ...sortQuery('name', 'member_count', 'created_at'),
  ...PageQuery.properties,
});

const SeenAddress = Nullable(
  Type.String({
    description: 'Null for a colleague, where instructors see their own classes only (`INSTRUCTOR_SCOPE=classes`).',
  }),
);
export const MemberSchema = Type.Object(
  {
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    email: SeenAddress,
    role: Role,
    joined_at: Timestamp,
  },
  { title: 'Member' },
);
export const MemberListQuery = Type.Object({
  q: Search,
  role: Type.Optional(Role),
  ...sortQuery('username', 'role', 'joined_at'),
  ...PageQuery.properties,
});
export const NewMember = Type.Object(
  {
    ...userChoiceFields,
    role: Type.Optional(Role),
  },
  { title: 'NewMember' },
);
export const MemberChange = Type.Object({ role: Role }, { title: 'MemberChange' });

export const ImportedMemberSchema = Type.Object(
  {
    line: Type.Integer({ description: 'Of the file, from 1, the header.' }),
    outcome: OneOf('created', 'added', 'already_member'),
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    email: SeenAddress,
    role: Role,
    password: Nullable(
      Type.String({ description: 'The generated password of a new account, which is shown only this once.' }),
    ),
    invitation: Type.Optional(
      Type.String({
        description: 'The code with which the user of a new account sets a password. It is shown only this once.',
      }),
    ),
  },
  { title: 'ImportedMember' },
);
const { username, email, password, full_name } = RegisterBody.properties;
/** A line of a CSV whose user does not exist. */
export const ImportedStudent = Type.Object({ username, email, password, full_name });
export const ImportedRole = Type.Object({ role: Role });

/** Of a student in a list of the class. */
export const OwnDeadlines = Type.Array(Type.Object({ laboratory_id: Type.Integer(), due_at: Timestamp }), {
  description: 'The extensions of the student. Empty for callers who are students.',
});

const State = OneOf('not_begun', 'begun', 'stuck', 'finished');
const Count = Type.Integer();

export const ProgressQuery = Type.Object({
  state: Type.Optional(State),
  stuck_after: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 3, description: 'Ended attempts without passing.' }),
  ),
  sort: Type.Optional(
    Type.String({
      pattern: '^(?:username|name|state|completed_themes|last_active_at|(?:exam|laboratory)-[1-9][0-9]{0,9})$',
      description:
        '`username` (default), `name`, `state` in the order of `counts`, `completed_themes`, `last_active_at`, or the score of an assessment: its kind and id, such as `exam-3`. What is missing comes last.',
    }),
  ),
  ...directionQuery,
  ...PageQuery.properties,
});
export const ClassProgressSchema = Type.Object(
  {
    total_themes: Type.Integer(),
    subjects: Type.Array(
      Type.Object({
        kind: OneOf('exam', 'laboratory'),
        id: Type.Integer(),
        title: Type.String(),
        max_score: Type.Number(),
        due_at: { ...NullableTimestamp, description: 'When a laboratory is due in the class.' },
      }),
      { description: 'The active exams and laboratories of the active courses of the class.' },
    ),
    counts: Type.Object({ not_begun: Count, begun: Count, stuck: Count, finished: Count }),
    students: Type.Array(
      Type.Object({
        user_id: Type.Integer(),
        username: Type.String(),
        full_name: Nullable(Type.String()),
        email: Type.String(),
        state: State,
        completed_themes: Type.Integer(),
        // The last completion or attempt in the courses of the class.
        last_active_at: NullableTimestamp,
        extensions: OwnDeadlines,
        results: Type.Array(
          Nullable(
            Type.Object({
              attempts: Type.Integer(),
              // Of the best attempt that was graded; in an exam session, of the attempt that counts there.
              score: Nullable(Type.Number()),
              passed: Type.Boolean(),
              passed_at: { ...NullableTimestamp, description: 'When the first attempt that passed was submitted.' },
              is_active: Type.Boolean({ description: 'Whether an attempt has begun and not ended.' }),
              is_awaiting_grading: Type.Boolean({
                description: 'Whether people have not graded all of an attempt that has ended.',
              }),
            }),
          ),
          { description: 'In the order of `subjects`; null without an attempt.' },
        ),
      }),
    ),
  },
  { title: 'ClassProgress' },
);

export const JoinCodeSchema = Type.Object(
  {
    id: Type.Integer(),
    code: Type.String(),
    expires_at: NullableTimestamp,
    max_uses: Nullable(Type.Integer()),
    uses: Type.Integer(),
    email_domain: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { title: 'JoinCode' },
);
export const NewJoinCodeBody = Type.Object(
  {
    expires_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    max_uses: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }))),
    email_domain: Type.Optional(
      Nullable(
        Type.String({
          ...{ minLength: 1, maxLength: 253 },
          description: 'The code is valid only for users with an e-mail address of this domain; subdomains are others.',
        }),
      ),
    ),
  },
  { title: 'NewJoinCode', 'x-optional': true },
);
export const JoinBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 100, description: 'Case, spaces and hyphens are ignored.' }),
  },
  { title: 'Join' },
);

export const DeadlineSchema = Type.Object(
  {
    class_id: Type.Integer(),
    class_name: Type.String(),
    laboratory_id: Type.Integer(),
    title: Type.String({ description: 'Of the laboratory.' }),
    due_at: { ...Timestamp, description: 'For the caller: with the own extension, if there is one.' },
    is_extended: Type.Boolean({ description: 'Whether the caller has an extension.' }),
    late_percent_per_day: Nullable(
      Type.Integer({ description: 'Percent of the grade that each day costs that has begun since. Null: nothing.' }),
    ),
    late_floor_percent: Type.Integer({ description: 'Percent of the grade that no lateness takes.' }),
    passed_at: { ...NullableTimestamp, description: 'When the caller passed the laboratory for the first time.' },
  },
  { title: 'LaboratoryDeadline' },
);
export const DeadlineParams = Type.Object({ id: Id, laboratory_id: Id });
export const DeadlineBody = Type.Object(
  {
    due_at: Type.String({ format: 'date-time' }),
    late_percent_per_day: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'Percent of the grade that each day of lateness that has begun costs. Null: nothing.',
        }),
      ),
    ),
    late_floor_percent: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Percent of the grade that no lateness takes.' }),
    ),
  },
  { title: 'LaboratoryDeadlineBody' },
);
export const ExtensionParams = Type.Object({ ...DeadlineParams.properties, user_id: Id });
export const ExtensionBody = Type.Object({ due_at: Type.String({ format: 'date-time' }) }, { title: 'ExtensionBody' });
export const ExtensionsBody = Type.Object(
  {
    user_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: 1000,
      description: 'The students, all of them or none.',
    }),
    due_at: Type.String({ format: 'date-time' }),
  },
  { title: 'ExtensionsBody' },
);
export const ExtensionSchema = Type.Object(
  { user_id: Type.Integer(), username: Type.String(), full_name: Nullable(Type.String()), due_at: Timestamp },
  { title: 'DeadlineExtension' },
);
export const OwnDeadlineQuery = Type.Object({ laboratory_id: Type.Optional(Id), ...PageQuery.properties });

const OpeningKind = OneOf('section', 'exam', 'laboratory');
export const ClassOpeningSchema = Type.Object(
  {
    kind: OpeningKind,
    id: Type.Integer(),
    course_id: Type.Integer(),
    course: Type.String({ description: 'The name of the course.' }),
    title: Type.String({ description: 'Of the exam or laboratory, or the name of the section.' }),
    opens_at: { ...NullableTimestamp, description: 'The time of the course. Null: none.' },
    own_opens_at: {
      ...NullableTimestamp,
      description: 'The time of the class, which replaces that of the course. Null: none.',
    },
  },
  { title: 'ClassOpening' },
);
export const ClassOpeningParams = Type.Object({
  id: Id,
  kind: OpeningKind,
  part_id: { ...Id, description: 'Identifies the section, the exam or the laboratory.' },
});
export const ClassOpeningBody = Type.Object(
  { opens_at: Nullable(Type.String({ format: 'date-time' })) },
  { title: 'ClassOpeningBody' },
);
