import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Name } from '../../http/protocol/fields.ts';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

const Counted = OneOf('best', 'last', 'first');
const Visible = OneOf('at_end', 'after_close', 'when_released', 'never');
const State = OneOf('upcoming', 'open', 'closed');
const Moment = Type.String({ format: 'date-time' });
/** When a session opens. */
const Opening = Nullable(Type.String({ format: 'date-time', description: "Null: now, by the service's clock." }));
const maxMinutes = 1440;
export const Minutes = Type.Integer({ minimum: 1, maximum: maxMinutes });
const Attempts = Type.Integer({ minimum: 1, maximum: 1000 });
const breaks = 'Of breaks in each attempt, in which its clock is stopped; at most 120.';
const reviews = 'For so many days after the results are shown a student can ask for a review. Null: not at all.';
const hidden = 'Whether those who grade its attempts do not see whose they are.';
const signals =
  'Whether terminals of its attempts are observed for signals: long pastes, networks, the time to the first input, commands that are alike. Clients must inform the student.';
const twoGraders =
  'Null: one person grades an answer. Otherwise two do, and neither sees the points of the other before. Points that differ by at most so many percent of those of the task count as their mean, rounded half up to hundredths; others wait until an instructor settles them.';
const assistants =
  'Whether the assistants of the class grade the answers that people grade. Those whose own role is student do not.';
const BreakMinutes = Nullable(Type.Integer({ minimum: 1, maximum: maxMinutes, description: breaks }));
const OwnBreakMinutes = Nullable(
  Type.Integer({ minimum: 0, maximum: maxMinutes, description: `${breaks} 0: none, also where the class has breaks.` }),
);
const TimeFactor = Type.Number({ minimum: 1, maximum: 3, description: 'Of the time limit.' });

export const SessionSchema = Type.Object(
  {
    id: Type.Integer(),
    exam_id: Type.Integer(),
    exam_title: Type.String(),
    class_id: Nullable(Type.Integer({ description: 'Null: for chosen students.' })),
    class_name: Nullable(Type.String()),
    chosen_students: Nullable(
      Type.Integer({ description: 'Their number. Null: for a class, or the caller is one of them.' }),
    ),
    title: Type.String(),
    opens_at: { ...Timestamp, description: "For a student of the session, the student's own." },
    closes_at: {
      ...Timestamp,
      description:
        "For a student of the session, the student's own. While the session is paused, it moves with the time.",
    },
    time_limit_minutes: Nullable(
      Type.Integer({ description: "Null: the exam's. For a student of the session, the student's own." }),
    ),
    max_attempts: Nullable(Type.Integer({ description: 'Null: any number.' })),
    counted_attempt: Counted,
    has_access_code: Type.Boolean(),
    networks: Type.Array(Type.String(), { description: 'Where attempts can be started from. None: from anywhere.' }),
    results_visible: Visible,
    is_output_visible: Type.Boolean({ description: 'Whether students see the output of the checks.' }),
    is_locked_down: Type.Boolean({
      description: 'During an attempt its student has one login, and no sandboxes and laboratories.',
    }),
    has_hands: Type.Boolean(),
    review_days: Nullable(Type.Integer({ description: reviews })),
    has_hidden_names: Type.Boolean({ description: hidden }),
    grader_tolerance_percent: Nullable(Type.Integer({ description: twoGraders })),
    has_assistant_graders: Type.Boolean({ description: assistants }),
    has_signals: Type.Boolean({ description: signals }),
    is_paused: Type.Boolean(),
    is_released: Type.Boolean(),
    created_at: Timestamp,
    state: State,
    attempts_left: Nullable(Type.Integer({ description: "A student's own. Null: any number." })),
    my_role: Nullable(OneOf('student', 'assistant', 'instructor'), {
      description: 'The role of the caller in the class or the session. Null if the caller is not a member.',
    }),
  },
  { title: 'ExamSession' },
);

/** A user among those of a session without a class. */
export const person = {
  user_id: Type.Integer(),
  username: Type.String(),
  full_name: Nullable(Type.String()),
  email: Type.String(),
};

const fields = {
  title: Type.Optional(Name),
  time_limit_minutes: Type.Optional(Nullable(Minutes)),
  max_attempts: Type.Optional(Nullable(Attempts)),
  counted_attempt: Type.Optional(Counted),
  access_code: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 200, description: 'It is never read back. Null: none.' })),
  ),
  networks: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
      maxItems: 100,
      description: 'In CIDR notation, IPv4 or IPv6.',
    }),
  ),
  results_visible: Type.Optional(Visible),
  is_output_visible: Type.Optional(Type.Boolean()),
  is_locked_down: Type.Optional(Type.Boolean({ description: 'Of attempts that start from then on.' })),
  has_hands: Type.Optional(Type.Boolean()),
  review_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 365, description: reviews }))),
  has_hidden_names: Type.Optional(Type.Boolean({ description: hidden })),
  grader_tolerance_percent: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 100, description: twoGraders })),
  ),
  has_assistant_graders: Type.Optional(Type.Boolean({ description: assistants })),
  has_signals: Type.Optional(Type.Boolean({ description: signals })),
};
export const UserIds = Type.Array(Id, {
  minItems: 1,
  maxItems: 10_000,
  description: 'Of students whom the caller can choose; at most 1,000.',
});
export const NewSession = Type.Object(
  {
    exam_id: Id,
    class_id: Type.Optional({ ...Id, description: 'Either `class_id` or `user_ids` is required.' }),
    user_ids: Type.Optional(UserIds),
    opens_at: Opening,
    closes_at: Moment,
    ...fields,
  },
  { title: 'NewExamSession' },
);
export const SessionChange = Type.Object(
  { opens_at: Type.Optional(Opening), closes_at: Type.Optional(Moment), ...fields },
  { title: 'ExamSessionChange' },
);
export const SessionListQuery = Type.Object({
  class_id: Type.Optional(Id),
  is_for_chosen: Type.Optional(
    Type.Boolean({ description: 'True: only those for chosen students; false: only those of classes.' }),
  ),
  exam_id: Type.Optional(Id),
  state: Type.Optional(State),
  ...PageQuery.properties,
});

export const ForecastQuery = Type.Object({ class_id: Id, opens_at: Moment, closes_at: Moment });
export const ChosenForecast = Type.Object(
  { user_ids: UserIds, opens_at: Moment, closes_at: Moment },
  { title: 'ChosenForecast' },
);
/** Of a forecast. More are of no further help to whoever plans. */
export const maxClashes = 100;
export const ForecastSchema = Type.Object(
  {
    students: Type.Integer({ description: 'Of the class, or chosen ones. Each can need a container.' }),
    others: Type.Integer({ description: 'Further students in other exam sessions that are open during that time.' }),
    capacity: Type.Integer({ description: 'Containers that the service runs at once.' }),
    clashes: Type.Array(
      Type.Object({
        user_id: Type.Integer(),
        username: Type.String(),
        full_name: Nullable(Type.String()),
        session_title: Nullable(Type.String({ description: 'Null: the caller does not see that session.' })),
        opens_at: Timestamp,
        closes_at: Timestamp,
      }),
      {
        description: `Students of it who have another exam session at that time, by username; at most ${maxClashes}. The times are those of the student.`,
      },
    ),
  },
  { title: 'ExamForecast' },
);

export const AccommodationSchema = Type.Object(
  {
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    time_factor: Nullable(Type.Number()),
    opens_at: NullableTimestamp,
    closes_at: NullableTimestamp,
    max_attempts: Nullable(Type.Integer()),
    break_minutes: Nullable(Type.Integer({ description: '0: none.' })),
  },
  { title: 'Accommodation', description: 'Null: that of the class, otherwise as for everybody.' },
);
export const AccommodationChange = Type.Object(
  {
    time_factor: Type.Optional(Nullable(TimeFactor)),
    opens_at: Type.Optional(Nullable(Moment)),
    closes_at: Type.Optional(Nullable(Moment)),
    max_attempts: Type.Optional(Nullable(Attempts)),
    break_minutes: Type.Optional(OwnBreakMinutes),
  },
  { title: 'AccommodationChange', 'x-optional': true },
);

const classFields = {
  time_factor: TimeFactor,
  extra_attempts: Type.Integer({ minimum: 0, maximum: 100 }),
  break_minutes: BreakMinutes,
};
export const ClassAccommodationSchema = Type.Object(
  { user_id: Type.Integer(), username: Type.String(), full_name: Nullable(Type.String()), ...classFields },
  { title: 'ClassAccommodation', description: 'Where the accommodation of a session has a value, that one holds.' },
);
export const ClassAccommodationChange = Type.Object(Type.Partial(Type.Object(classFields)).properties, {
  title: 'ClassAccommodationChange',
  'x-optional': true,
});

type DateOf<M> = M extends string ? Date : null;

/** A body with its moments as dates. */
export function withDates<Opens extends string | null, Closes extends string | null, Rest extends object>({
  opens_at,
  closes_at,
  ...rest
}: { opens_at?: Opens; closes_at?: Closes } & Rest) {
  const date = <M extends string | null>(text: M) => (text === null ? null : new Date(text)) as DateOf<M>;
  return {
    ...rest,
    ...(opens_at === undefined ? {} : { opens_at: date(opens_at) }),
    ...(closes_at === undefined ? {} : { closes_at: date(closes_at) }),
  };
}
