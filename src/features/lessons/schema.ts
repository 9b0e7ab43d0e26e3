import { Type } from 'typebox';
import { answered } from '../../entities/fields.ts';
import { openingFields } from '../../entities/opening.ts';
import { PageQuery } from '../../http/lists/paging.ts';
import { Description, Name, OrderIndex, Slug } from '../../http/protocol/fields.ts';
import { Id, Nullable, NullableTimestamp, OneOf } from '../../http/protocol/schemas.ts';

export const ClosedSchema = Type.Object(
  {
    kind: OneOf('section', 'exam', 'laboratory'),
    id: Type.Integer(),
    course_id: Nullable(Type.Integer()),
    opens_at: { ...NullableTimestamp, description: 'When it opens, for the caller. Null: once nothing is missing.' },
    missing: Type.Array(
      Type.Object({
        kind: OneOf('section', 'theme', 'laboratory', 'exam'),
        id: Type.Integer(),
        title: Type.String(),
      }),
      {
        description:
          'What the caller has to complete before: lessons, all lessons of a section, a laboratory or an exam to be passed.',
      },
    ),
  },
  { title: 'ClosedPart' },
);

const TemplateId = Nullable(
  Type.Integer({ description: 'The sandbox template of its lessons. Null: that of the level above, if that has one.' }),
);

const CourseRowSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    icon: Type.String(),
    order_index: Type.Integer(),
    is_active: Type.Boolean(),
    template_id: TemplateId,
    is_class_only: Type.Boolean({ description: 'Of the students, only members of its classes see it.' }),
    has_certificate: Type.Boolean({
      description: 'Students who complete its lessons and pass its laboratories can have a certificate.',
    }),
  },
  { title: 'CourseDetails' },
);

export const SectionRowSchema = Type.Object(
  {
    id: Type.Integer(),
    course_id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    order_index: Type.Integer(),
    is_active: Type.Boolean(),
    template_id: TemplateId,
    ...answered(openingFields),
  },
  { title: 'SectionDetails' },
);

export const ThemeRowSchema = Type.Object(
  {
    id: Type.Integer(),
    section_id: Type.Integer(),
    title: Type.String(),
    slug: Type.String(),
    markdown_file_path: Type.String(),
    duration_minutes: Type.Integer(),
    order_index: Type.Integer(),
    template_id: TemplateId,
    is_written: Type.Boolean({
      description: 'Its file is among those that are written in the pages, not in the repository of its course.',
    }),
  },
  { title: 'ThemeDetails' },
);

export const CourseParams = Type.Object({ course_id: Id });

/** None of its themes is complete, some are, all are. A course without themes is in none of the states. */
export const courseStates = ['new', 'begun', 'finished'] as const;
export type CourseState = (typeof courseStates)[number];

export const SummaryQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(OneOf(...courseStates)),
});

export const FileQuery = Type.Object({
  markdown_file_path: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Relative to the root of the lessons repository.',
  }),
});

export const ThemeParams = Type.Object({ theme_id: Id });

export const FileParams = Type.Object({
  theme_id: Id,
  '*': Type.String({
    minLength: 1,
    description: "Relative to the folder of the theme's Markdown file, percent-encoded.",
  }),
});

const themeFields = {
  ...ThemeRowSchema.properties,
  is_completed: Type.Boolean(),
};

const SectionSchema = Type.Object(
  {
    ...SectionRowSchema.properties,
    themes: Type.Array(Type.Object(themeFields)),
  },
  { title: 'Section' },
);

const ProgressSchema = Type.Object({
  completed_themes: Type.Integer(),
  total_themes: Type.Integer(),
  percent: Type.Number({ description: '0 to 100, with one decimal.' }),
});

export const CourseSchema = Type.Object(
  {
    ...CourseRowSchema.properties,
    sections: Type.Array(SectionSchema),
    progress: ProgressSchema,
  },
  { title: 'Course' },
);

export const CourseSummarySchema = Type.Object(
  {
    ...CourseRowSchema.properties,
    section_count: Type.Integer(),
    progress: ProgressSchema,
    next_theme: Nullable(Type.Object({ id: Type.Integer(), title: Type.String() })),
  },
  { title: 'CourseSummary' },
);

export const TeachersSchema = Type.Array(Type.String(), {
  description: 'The names of its owners and editors, or their usernames where they gave none.',
});

const NullableId = Type.Union([Type.Integer(), Type.Null()]);

export const ThemeSchema = Type.Object(
  {
    ...themeFields,
    course_id: Type.Integer(),
    completed_at: NullableTimestamp,
    previous_theme_id: NullableId,
    next_theme_id: NullableId,
    nearest_template_id: {
      ...NullableId,
      description: 'The sandbox template of the theme, or else of its section, or else of its course.',
    },
  },
  { title: 'Theme' },
);

export const MissingFileSchema = Type.Object(
  { theme_id: Type.Integer(), course_id: Type.Integer(), markdown_file_path: Type.String() },
  { title: 'MissingFile' },
);

export const ThemeProgressSchema = Type.Object(
  {
    user_id: Type.Integer(),
    theme_id: Type.Integer(),
    completed: Type.Boolean(),
    completed_at: NullableTimestamp,
  },
  { title: 'ThemeProgress' },
);

/** Which repository a course has is for administrators only. */
export const AdminCourseSchema = Type.Object(
  {
    ...CourseRowSchema.properties,
    repository_id: Nullable(
      Type.Integer({ description: 'The lesson repository with its lessons. Null: the default one.' }),
    ),
  },
  { title: 'AdministeredCourse' },
);

/** As administrators and the staff of a course send it. */
export const NewCourse = Type.Object(
  {
    name: Name,
    description: Type.Optional(Description),
    icon: Type.Optional(Type.String({ maxLength: 1000 })),
    template_id: Type.Optional(Nullable(Id)),
    order_index: Type.Optional(OrderIndex),
    slug: Type.Optional(Slug),
    is_active: Type.Optional(Type.Boolean()),
    is_class_only: Type.Optional(Type.Boolean()),
    has_certificate: Type.Optional(Type.Boolean()),
    repository_id: Type.Optional(Nullable(Id)),
  },
  { title: 'CourseFields' },
);
