import { Type } from 'typebox';
import { Nullable } from '../../http/protocol/schemas.ts';

const TemplateId = Nullable(
  Type.Integer({ description: 'The sandbox template of its lessons. Null: that of the level above, if that has one.' }),
);

export const CourseRowSchema = Type.Object(
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
  },
  { title: 'CourseDetails' },
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

export const SectionRowSchema = Type.Object(
  {
    id: Type.Integer(),
    course_id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    order_index: Type.Integer(),
    is_active: Type.Boolean(),
    template_id: TemplateId,
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
