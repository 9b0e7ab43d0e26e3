import { type Static, Type } from 'typebox';
import { Id, Nullable, OneOf, ProblemParams } from '../../http/protocol/schemas.ts';

export const outlineFormats = ['mkdocs', 'summary', 'jupyter-book', 'docusaurus', 'folders'] as const;
export type OutlineFormat = (typeof outlineFormats)[number];

export type OutlineTheme = { slug: string; title: string; file: string; duration_minutes: number };
export type OutlineSection = { slug: string; name: string; themes: OutlineTheme[] };
/** A course as the layout of content has it. `file` is the path of a lesson in the repository. */
export type OutlineCourse = { slug: string; name: string; description: string; sections: OutlineSection[] };

/** A course that exists, with what only its author decides. The ids are those of a database. */
export type HeldTheme = OutlineTheme & { id?: number; sandbox_template?: string };
export type HeldSection = Omit<OutlineSection, 'themes'> & {
  id?: number;
  is_active?: boolean;
  sandbox_template?: string;
  themes: HeldTheme[];
};
export type HeldCourse = Omit<OutlineCourse, 'sections'> & {
  id?: number;
  icon?: string;
  is_active?: boolean;
  sandbox_template?: string;
  sections: HeldSection[];
};

/** A course of the database that was imported from a repository. Without `base` it was not, but its lessons are there. */
export type StoredCourse = { course: HeldCourse; base: OutlineCourse | undefined };
/** What the catalogue has: the courses of the repository, and the slugs of all courses. */
export type Stored = { courses: StoredCourse[]; slugs: ReadonlySet<string> };
/** A course to be written, what the repository has of it, and the rows that it no longer has. */
export type PlannedCourse = {
  course: HeldCourse;
  outline: OutlineCourse;
  goneThemes: number[];
  goneSections: number[];
};

const ChangeSchema = Type.Object(
  {
    action: OneOf('new', 'changed', 'gone', 'kept'),
    kind: OneOf('course', 'section', 'theme'),
    name: Type.String({ description: 'Slugs from the outermost in, such as `course/section/theme`.' }),
    fields: Type.Array(Type.String()),
  },
  {
    title: 'OutlineChange',
    description:
      '`kept`: an administrator has changed the fields, and the repository has other values. `gone`: no longer in the repository.',
  },
);
export type OutlineChange = Static<typeof ChangeSchema>;
/** What an import writes and what it says of it. */
export type Plan = { planned: PlannedCourse[]; changes: OutlineChange[] };

const Address = {
  url: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description:
          'Of a Git repository over https or http, without credentials. Null: the lessons repository of the service.',
      }),
    ),
  ),
  repository_id: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, description: 'Of a lesson repository, instead of an address.' })),
  ),
  branch: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 255, description: 'Null: the one that the repository names.' })),
  ),
  language: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^[A-Za-z]{2}([-_][A-Za-z]{2,4})?$',
        description:
          'The language of the lessons that are taken where they have translations (`page.de.md`, `page_de.md`, `de/page.md`). Null: English, or none in the path.',
      }),
    ),
  ),
};
export const PreviewFields = Type.Object(Address, { title: 'CourseRepository' });
export const ImportFields = Type.Object(
  {
    ...Address,
    deletes_gone: Type.Optional(
      Type.Boolean({
        description: 'Deletes sections and themes that are no longer in the repository, with the progress in them.',
      }),
    ),
  },
  { title: 'CourseImport' },
);

const ProblemSchema = Type.Object(
  {
    file: Type.String(),
    line: Type.Integer(),
    message: Type.String(),
    code: Type.String({ description: '/api/docs/errors lists these codes.' }),
    params: ProblemParams,
  },
  { title: 'OutlineProblem' },
);
export type OutlineProblem = Static<typeof ProblemSchema>;

export const OutlineSchema = Type.Object(
  {
    commit: Nullable(Type.String()),
    format: OneOf(...outlineFormats),
    file: Nullable(Type.String({ description: 'The table of contents. Null: the order is that of the folders.' })),
    languages: Type.Array(Type.String(), {
      description: 'The languages of lessons with translations, which `language` chooses from.',
    }),
    courses: Type.Array(
      Type.Object(
        {
          id: Nullable(Id),
          slug: Type.String(),
          name: Type.String(),
          description: Type.String(),
          is_active: Type.Boolean(),
          sections: Type.Array(
            Type.Object(
              {
                id: Nullable(Id),
                slug: Type.String(),
                name: Type.String(),
                themes: Type.Array(
                  Type.Object(
                    {
                      id: Nullable(Id),
                      slug: Type.String(),
                      title: Type.String(),
                      markdown_file_path: Type.String(),
                      duration_minutes: Type.Integer(),
                    },
                    { title: 'OutlineTheme' },
                  ),
                ),
              },
              { title: 'OutlineSection' },
            ),
          ),
        },
        { title: 'OutlineCourse', description: 'As it is after the import. An id is null where the row is new.' },
      ),
    ),
    changes: Type.Array(ChangeSchema, {
      description: 'What the import does, one item for each course, section and theme.',
    }),
    problems: Type.Array(ProblemSchema, { description: 'Entries that are left out; the first 200.' }),
    problem_count: Type.Integer(),
    warnings: Type.Array(ProblemSchema, { description: 'The first 200.' }),
    warning_count: Type.Integer(),
  },
  { title: 'CourseOutline' },
);
export type OutlineAnswer = Static<typeof OutlineSchema>;
