import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { optional } from '../../entities/fields.ts';
import { openingColumns, openingFields } from '../../entities/opening.ts';
import { InvalidError } from '../../errors.ts';
import { adminDoor, type Door } from '../../http/access/doors.ts';
import { administeredRoutes } from '../../http/lists/administered-routes.ts';
import { Description, Image, Name, OrderIndex, Slug } from '../../http/protocol/fields.ts';
import { Id, Nullable } from '../../http/protocol/schemas.ts';
import { codedItem } from '../../values/coded-problem.ts';
import { MinimumRole, TemplateSchema } from '../containers/schema.ts';
import { lessonPathProblem } from '../lessons/lesson-path.ts';
import { AdminCourseSchema, NewCourse, SectionRowSchema, ThemeRowSchema } from '../lessons/schema.ts';
import type { CatalogueTables } from './catalogue-store.ts';

/** Null removes it. */
const TemplateId = Type.Optional(Nullable(Id));

const NewSection = Type.Object(
  {
    name: Name,
    course_id: Id,
    template_id: TemplateId,
    order_index: Type.Optional(OrderIndex),
    slug: Type.Optional(Slug),
    is_active: Type.Optional(Type.Boolean()),
    ...optional(openingFields, openingColumns),
  },
  { title: 'SectionFields' },
);
const NewTheme = Type.Object(
  {
    title: Name,
    section_id: Id,
    markdown_file_path: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Relative to the root of the lessons repository; no `..`, no leading slash, no backslash.',
    }),
    order_index: Type.Optional(OrderIndex),
    slug: Type.Optional(Slug),
    duration_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    template_id: TemplateId,
    is_written: Type.Optional(
      Type.Boolean({ description: 'The file is among those that are written in the pages. Default: false.' }),
    ),
  },
  { title: 'ThemeFields' },
);
const NewTemplate = Type.Object(
  {
    name: Name,
    image: Image,
    memory_mb: Type.Integer({ minimum: 16, maximum: 65_536 }),
    cpus: Type.Number({ exclusiveMinimum: 0, maximum: 64 }),
    description: Type.Optional(Description),
    has_internet: Type.Optional(Type.Boolean()),
    minimum_role: Type.Optional(MinimumRole),
    order_index: Type.Optional(OrderIndex),
    slug: Type.Optional(Slug),
    is_active: Type.Optional(Type.Boolean()),
  },
  { title: 'SandboxTemplateFields' },
);

const creation = (label: string) =>
  `Without an \`order_index\` it is appended. Without a \`slug\`, one is derived from the ${label}. 409: the slug is taken.`;

/** In a course that is known. */
const NewSectionOfCourse = Type.Object(
  { ...NewSection.properties, course_id: Type.Optional(Id) },
  { title: 'CourseSectionFields' },
);

/** Courses and sandbox templates, for administrators. */
export const adminCatalogueRoutes =
  ({ courses, templates }: CatalogueTables): FastifyPluginAsyncTypebox =>
  async (app) => {
    const course = administeredRoutes({
      ...{ door: adminDoor, part: 'course' },
      path: '/api/admin/lessons/courses',
      idName: 'course_id',
      ...{ one: 'a course', plural: 'courses', Row: AdminCourseSchema, New: NewCourse, rows: courses },
      hasReference: true,
      about: {
        create: creation('name'),
        update:
          'Omitted fields are unchanged. 409: the slug is taken. A course that `is_class_only`, and its exams and laboratories, are visible to members of its classes, instructors and administrators. Another `repository_id` is that of the repository with its lessons; null: the default repository.',
        delete:
          'Its sections, its themes and their progress are deleted with it. Its exams are kept without a course; then all students see them.',
      },
    });
    const template = administeredRoutes({
      ...{ door: adminDoor, part: 'grants' },
      path: '/api/admin/sandbox-templates',
      idName: 'id',
      ...{ one: 'a sandbox template', plural: 'sandbox templates', Row: TemplateSchema, New: NewTemplate },
      rows: templates,
      about: {
        create: creation('name'),
        update:
          'Omitted fields are unchanged. Existing sandboxes keep their settings, including those of users below a new `minimum_role`.',
        delete:
          'Sandboxes created from the template are kept. Courses, sections and themes that name it are kept without a template.',
      },
    });
    for (const routes of [course, template]) await app.register(routes);
  };

/** Sections and themes, behind both doors. */
export const courseTreeRoutes =
  ({ sections, themes }: CatalogueTables, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const section = administeredRoutes({
      door,
      part: 'sections',
      path: `${door.tree}/sections`,
      idName: 'section_id',
      ...{
        one: 'a section',
        plural: 'sections',
        Row: SectionRowSchema,
        New: door === adminDoor ? NewSection : (NewSectionOfCourse as typeof NewSection),
        rows: sections,
      },
      intoCourse: (fields, course_id) => ({ ...fields, course_id }),
      hasReference: true,
      parent: { name: 'course_id', one: 'course' },
      about: {
        create: creation('name'),
        update: 'Omitted fields are unchanged. Another `course_id` moves the section. 409: the slug is taken.',
        delete: 'Its themes and their progress are deleted with it. Its laboratory is kept without a section.',
      },
    });
    const theme = administeredRoutes({
      door,
      part: 'themes',
      path: `${door.tree}/themes`,
      idName: 'theme_id',
      ...{ one: 'a theme', plural: 'themes', Row: ThemeRowSchema, New: NewTheme, rows: themes },
      hasReference: true,
      parent: { name: 'section_id', one: 'section' },
      check: (request, { markdown_file_path }) => checkPath(request, markdown_file_path),
      about: {
        create: creation('title'),
        update: 'Omitted fields are unchanged. Another `section_id` moves the theme. 409: the slug is taken.',
        delete: 'All progress in the theme is deleted with it. The Markdown file is kept.',
      },
    });
    for (const routes of [section, theme]) await app.register(routes);
  };

/** No schema can express this rule, and its error must have the form of a validation error. @throws InvalidError */
function checkPath(request: FastifyRequest, path: string | undefined): void {
  const problem = path === undefined ? undefined : lessonPathProblem(path);
  if (problem === undefined) return;
  const isInBody = Object.hasOwn((request.body ?? {}) as object, 'markdown_file_path');
  const loc = [isInBody ? 'body' : 'query', 'markdown_file_path'];
  throw new InvalidError([codedItem(loc, problem)]);
}
