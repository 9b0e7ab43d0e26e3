import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, Nullable, NullableTimestamp, OneOf } from '../../http/protocol/schemas.ts';
import { CourseRowSchema, SectionRowSchema, ThemeRowSchema } from './catalogue-schema.ts';
import { courseStates } from './course-summary.ts';

export const CourseParams = Type.Object({ course_id: Id });

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

const NullableId = Type.Union([Type.Integer(), Type.Null()]);

export const ThemeSchema = Type.Object(
  {
    ...themeFields,
    course_id: Type.Integer(),
    completed_at: NullableTimestamp,
    previous_theme_id: NullableId,
    next_theme_id: NullableId,
    nearest_template_id: Type.Unsafe<number | null>({
      ...NullableId,
      description: 'The sandbox template of the theme, or else of its section, or else of its course.',
    }),
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
