import { type Static, type TProperties, Type } from 'typebox';
import type { Role } from '../../database/tables.ts';
import { Assessment, assessmentDefaults } from '../../entities/assessment.ts';
import { omit, withDefaults } from '../../entities/fields.ts';
import { maxAwaited, openingColumns } from '../../entities/opening.ts';
import { Task, taskDefaults, taskScripts } from '../../entities/task.ts';
import { type KindField, kindFieldNames, kindInputs } from '../../entities/task-kinds/kinds.ts';
import { FileMode, FileOwner } from '../assessments/schema.ts';

/** The version of the layout that this service reads. Every file declares its version. */
export const layoutFormat = 1;

const strict = { additionalProperties: false };

const Slug = Type.String({
  maxLength: 100,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'words of small letters and digits, joined by hyphens',
});
const Name = Type.String({ maxLength: 200, pattern: '\\S', description: 'a text that is not empty' });
const Prose = Type.String({ maxLength: 100_000, default: '' });
const FilePath = Type.String({ minLength: 1, maxLength: 1000 });
const Image = Type.String({ maxLength: 500, pattern: '^[\\w./:@-]+$', description: 'the name of a container image' });

/** False hides it from students: a draft, or a retired item. */
const IsActive = Type.Boolean({ default: true });
const TimeLimit = Type.Integer({ minimum: 1, maximum: 1440 });
/** The sandbox template of the lessons. */
const Template = Type.Optional(Slug);
const slug = '[a-z0-9]+(?:-[a-z0-9]+)*';
/** Absent: as it is, so that an import opens nothing. */
const openingProperties = {
  opens_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,3})?)?(?:Z|[+-]\\d\\d:\\d\\d)$',
      description: 'a time with its zone, such as 2027-01-11T08:00:00Z',
    }),
  ),
  /** What is waited for, by slugs, of the same course. */
  opens_after: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 220,
        pattern: `^(?:(?:section|laboratory|exam):${slug}|theme:${slug}/${slug})$`,
        description: 'section:SLUG, theme:SECTION/SLUG, laboratory:SLUG or exam:SLUG',
      }),
      { maxItems: maxAwaited, uniqueItems: true },
    ),
  ),
};
const taskProperties = {
  ...withDefaults(
    omit(Task.properties, ['id', 'order_index', 'hint', 'solution', ...taskScripts, ...kindFieldNames]),
    taskDefaults,
  ),
  ...kindInputs,
  slug: Slug,
  title: Name,
  /** The path of the script of a check. */
  verify: Type.Optional(FilePath),
  /** The path of a script. */
  solution: Type.Optional(FilePath),
  partial: Type.Optional(FilePath),
  /** The text for students. */
  worked_solution: Prose,
  setup: Type.Optional(FilePath),
  /** The folder of the files. */
  files: Type.Optional(FilePath),
};

const fileOf = <Kind extends string, Properties extends TProperties>(kind: Kind, properties: Properties) =>
  Type.Object({ format: Type.Literal(layoutFormat), kind: Type.Literal(kind), ...properties }, strict);

export const CourseFile = fileOf('course', {
  slug: Slug,
  name: Name,
  description: Prose,
  icon: Type.String({ maxLength: 200, default: '' }),
  sandbox_template: Template,
  is_active: IsActive,
  /** Where the lessons are, if not in `lessons/`, nor in the lessons repository of the service. */
  repository: Type.Optional(
    Type.String({
      maxLength: 2048,
      pattern: '^(?:https?://[^\\s@]+|ssh://(?:[^\\s@:/]+@)?[^\\s@]+|[^\\s@:/]+@[^\\s:]+:\\S+)$',
      description: 'the https, http or ssh address of a Git repository, without credentials',
    }),
  ),
  branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  sections: Type.Array(
    Type.Object(
      {
        slug: Slug,
        name: Name,
        is_active: IsActive,
        sandbox_template: Template,
        ...openingProperties,
        themes: Type.Array(
          Type.Object(
            {
              slug: Slug,
              title: Name,
              file: FilePath,
              duration_minutes: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
              sandbox_template: Template,
              /** Its file is in `written-lessons/`. */
              is_written: Type.Optional(Type.Boolean()),
            },
            strict,
          ),
        ),
      },
      strict,
    ),
  ),
});

const assessmentProperties = {
  ...withDefaults(
    omit(Assessment.properties, ['id', 'created_at', 'setup_script', ...openingColumns]),
    assessmentDefaults,
  ),
  ...openingProperties,
  slug: Slug,
  title: Name,
  container_image: Image,
  setup: Type.Optional(FilePath),
  /** The folder of the files. */
  files: Type.Optional(FilePath),
};

export const ExamFile = fileOf('exam', {
  ...assessmentProperties,
  course: Type.Optional(Slug),
  time_limit_minutes: TimeLimit,
  order_index: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  /** Absent: as it is, so that an import opens no exam. */
  is_session_only: Type.Optional(Type.Boolean()),
  has_certificate: Type.Optional(Type.Boolean()),
  tasks: Type.Array(Type.Object(taskProperties, strict)),
});

export const LaboratoryFile = fileOf('laboratory', {
  ...assessmentProperties,
  section: Type.Optional(
    Type.String({
      maxLength: 201,
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$',
      description: 'the slugs of a course and of its section, joined by a slash',
    }),
  ),
  time_limit_minutes: Type.Optional(TimeLimit),
  is_sequential: Type.Boolean({ default: false }),
  tasks: Type.Array(Type.Object({ ...taskProperties, hint: Prose }, strict)),
});

/** Beside a folder of files: those whose owner or mode is not the default. */
export const FileList = fileOf('files', {
  files: Type.Array(
    Type.Object({ path: FilePath, owner: Type.Optional(FileOwner), mode: Type.Optional(FileMode) }, strict),
  ),
});

export const SandboxTemplatesFile = fileOf('sandbox-templates', {
  templates: Type.Array(
    Type.Object(
      {
        slug: Slug,
        name: Name,
        description: Prose,
        image: Image,
        has_internet: Type.Boolean({ default: false }),
        memory_mb: Type.Integer({ minimum: 16, maximum: 65_536 }),
        cpus: Type.Number({ exclusiveMinimum: 0, maximum: 64 }),
        minimum_role: Type.Unsafe<Role>({
          type: 'string',
          enum: ['student', 'instructor', 'admin'],
          default: 'student',
        }),
        is_active: IsActive,
      },
      strict,
    ),
    { minItems: 1 },
  ),
});

export type CourseContent = Static<typeof CourseFile>;
/** A file that is put into containers. */
export type ContentFile = {
  path: string;
  owner: string;
  mode: string;
  bytes: number;
  digest: string;
  /** Its content in chunks. Whole files are not kept in memory. */
  read: () => AsyncIterable<Uint8Array>;
};
type Paths = {
  setup?: string;
  files?: string;
  tasks: {
    verify?: string;
    solution?: string;
    partial?: string;
    worked_solution: string;
    setup?: string;
    files?: string;
  }[];
};
/** A value with tasks, in which the scripts' sources and the files replace their paths. */
export type WithScripts<Value extends Paths> = Omit<Value, 'tasks' | 'setup' | 'files'> & {
  setup_script: string | null;
  files: ContentFile[];
  tasks: (Omit<
    Value['tasks'][number],
    'verify' | 'solution' | 'partial' | 'worked_solution' | 'setup' | 'files' | KindField
  > & { files: ContentFile[] } & Pick<Task, 'kind' | 'solution' | (typeof taskScripts)[number] | KindField>)[];
};
export type ExamContent = WithScripts<Static<typeof ExamFile>>;
export type LaboratoryContent = WithScripts<Static<typeof LaboratoryFile>>;
export type SandboxTemplateContent = Static<typeof SandboxTemplatesFile>['templates'][number];

/** A file of lessons that is written in the pages. */
export type WrittenContent = Pick<ContentFile, 'path' | 'bytes' | 'digest' | 'read'>;

/** The entire content of a content directory, read and checked, in its order. */
export type Content = {
  writtenLessons: WrittenContent[];
  courses: CourseContent[];
  exams: ExamContent[];
  laboratories: LaboratoryContent[];
  sandboxTemplates: SandboxTemplateContent[];
};

/** The parts of the database's content that files may refer to. */
export type KnownContent = {
  courses: readonly string[];
  templates: readonly string[];
  /** The laboratory of each `course/section`, or null where it has none. */
  sections: ReadonlyMap<string, string | null>;
  /** What can be waited for: see `openingNames`. */
  parts: readonly { course: string; name: string }[];
};

export type ContentKind =
  | 'lesson file'
  | 'course'
  | 'section'
  | 'theme'
  | 'exam'
  | 'exam task'
  | 'laboratory'
  | 'laboratory task'
  | 'sandbox template';

/** The result of an import for one item. `left` is an item that the files no longer list and the database keeps. */
export type ContentChange = {
  action: 'created' | 'updated' | 'unchanged' | 'left' | 'removed';
  kind: ContentKind;
  /** Slugs from the outermost in, such as `course/section/theme`. */
  name: string;
  /** The columns that an update changed. */
  fields: string[];
};
