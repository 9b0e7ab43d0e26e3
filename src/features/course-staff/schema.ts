import { Type } from 'typebox';
import { userChoiceFields } from '../../http/lists/user-choice.ts';
import { Image, Name } from '../../http/protocol/fields.ts';
import { Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { courseRoles } from '../../values/course-policies.ts';
import { registryHost } from '../../values/image-problems.ts';
import { AdminCourseSchema } from '../lessons/schema.ts';

const Role = OneOf(...courseRoles);

export const TeachingCourseSchema = Type.Object(
  {
    ...AdminCourseSchema.properties,
    my_role: Nullable({
      ...Role,
      description: 'Of the caller among its staff. Null: an administrator who is not one of them.',
    }),
  },
  { title: 'TeachingCourse' },
);

export const CourseCopy = Type.Object(
  { name: Type.Optional({ ...Name, description: 'Of the copy. Default: that of the course.' }) },
  { title: 'CourseCopy' },
);

export const StaffSchema = Type.Object(
  {
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    role: Role,
    added_at: Timestamp,
  },
  { title: 'CourseStaff' },
);

export const NewStaff = Type.Object({ ...userChoiceFields, role: Role }, { title: 'CourseStaffFields' });
export const StaffChange = Type.Object({ role: Role }, { title: 'CourseStaffChange' });

export const GrantFields = Type.Object(
  {
    images: Type.Optional(Type.Array(Image, { maxItems: 100, description: 'Beyond those that every course may use.' })),
    registries: Type.Optional(
      Type.Array(Type.String({ maxLength: 255, pattern: registryHost }), {
        ...{ maxItems: 20, uniqueItems: true },
        description: 'Hosts that its staff may add images of, such as `registry.example.com` or `docker.io`.',
      }),
    ),
    has_internet: Type.Optional(
      Type.Boolean({ description: 'Whether its lessons may have sandbox templates with internet.' }),
    ),
    has_root: Type.Optional(
      Type.Boolean({ description: 'Whether students of its exams and laboratories may be root (`user`).' }),
    ),
    has_repository: Type.Optional(Type.Boolean({ description: 'Whether it may have a lesson repository of its own.' })),
  },
  { title: 'CourseGrantFields' },
);
export const GrantsSchema = Type.Object(
  {
    images: Type.Array(Type.String(), { description: 'Beyond those that every course may use.' }),
    common_images: Type.Array(Type.String(), {
      description:
        'Those that every course may use: the shipped ones, those of active sandbox templates, and of published exams and laboratories of administrators.',
    }),
    own_images: Type.Array(Type.String(), { description: 'Those that its staff have added.' }),
    registries: Type.Array(Type.String(), { description: 'Hosts that its staff may add images of.' }),
    has_internet: Type.Boolean({ description: 'Its lessons may have sandbox templates with internet.' }),
    has_root: Type.Boolean({ description: 'Students of its exams and laboratories may be root (`user`).' }),
    has_repository: Type.Boolean({ description: 'It may have a lesson repository of its own.' }),
    templates: Type.Array(
      Type.Object({ id: Type.Integer(), name: Type.String(), image: Type.String(), has_internet: Type.Boolean() }),
      { description: 'The sandbox templates that its lessons may have.' },
    ),
  },
  { title: 'CourseGrants' },
);
