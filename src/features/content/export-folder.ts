import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assessmentDefaults } from '../../entities/assessment.ts';
import { omit } from '../../entities/fields.ts';
import { taskDefaults } from '../../entities/task.ts';
import { kindOf } from '../../entities/task-kinds/kinds.ts';
import { referencedFiles } from '../lessons/references.ts';
import { ContentFolder, UnusablePathError } from './content-folder.ts';
import { addFiles, courseText, type Written, writeMachineFile, yaml } from './course-files.ts';
import { type Content, type ContentFile, type ExamContent, type LaboratoryContent, layoutFormat } from './schema.ts';

/** An import gives an exam without an order the last place. */
const headDefaults = omit(assessmentDefaults, ['order_index']);

const maxLessonBytes = 256 * 1024 * 1024;

/**
 * Writes content in the layout that `readContent` reads, into a new or empty directory.
 * @param lessons the folder of the lessons' texts; they are written only if it contains all of them
 * @returns the missing lessons
 */
export async function writeContent(
  directory: string,
  content: Content,
  lessons: string | undefined,
): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty: name a new directory`);
  const files = new Map<string, string>();
  for (const [index, course] of content.courses.entries()) {
    // Courses are ordered by their file names.
    files.set(`courses/${number(index, content.courses.length)}-${course.slug}.yaml`, courseText(course));
  }
  const folders = new Map<string, ContentFile[]>();
  for (const exam of content.exams) addAssessment({ files, folders }, `exams/${exam.slug}`, exam);
  for (const laboratory of content.laboratories)
    addAssessment({ files, folders }, `laboratories/${laboratory.slug}`, laboratory);
  if (content.sandboxTemplates.length > 0) {
    const templates = content.sandboxTemplates.map(
      ({ slug, name, description, is_active, minimum_role, ...limits }) => ({
        ...{ slug, name, ...optional({ description }), ...limits },
        ...(minimum_role === 'student' ? {} : { minimum_role }),
        ...inactive(is_active),
      }),
    );
    files.set('sandbox-templates.yaml', yaml({ format: layoutFormat, kind: 'sandbox-templates', templates }));
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  for (const [folder, some] of folders) {
    for (const file of some) await writeMachineFile(join(directory, folder, file.path), file);
  }
  for (const file of content.writtenLessons)
    await writeMachineFile(join(directory, 'written-lessons', file.path), file);
  return lessons === undefined ? [] : await copyLessons(directory, content, lessons);
}

function addAssessment(written: Written, folder: string, assessment: ExamContent | LaboratoryContent): void {
  const { files } = written;
  const {
    format,
    kind,
    slug,
    title,
    description,
    introduction,
    conclusion,
    setup_script,
    files: own,
    tasks,
    ...fields
  } = assessment;
  const shown = tasks.map((task, index) => {
    const { verification_script, solution_script, partial_script, setup_script, files: ofTask, ...fields } = task;
    const place = `tasks/${number(index, tasks.length)}-${fields.slug}`;
    const scripts = {
      verify: verification_script === '' ? null : verification_script,
      solution: solution_script,
      partial: partial_script,
      setup: setup_script,
    };
    const given = Object.entries(scripts).flatMap(([name, script]) =>
      script === null ? [] : [[name, script] as const],
    );
    for (const [name, script] of given) files.set(`${folder}/${place}/${name}.sh`, script);
    const { slug: name, title: heading, points, solution, ...others } = fields;
    return {
      ...{
        slug: name,
        title: heading,
        points,
        ...withoutDefaults(others, { ...taskDefaults, ...kindOf(others).defaults }),
      },
      ...(solution === '' ? {} : { worked_solution: solution }),
      ...Object.fromEntries(given.map(([name]) => [name, `${place}/${name}.sh`])),
      ...addFiles(written, folder, `${place}/files`, ofTask),
    };
  });
  const texts = { description, introduction, conclusion };
  const head = { format, kind, slug, title, ...withoutDefaults({ ...texts, ...fields }, headDefaults) };
  if (setup_script !== null) files.set(`${folder}/setup.sh`, setup_script);
  const setup = setup_script === null ? {} : { setup: 'setup.sh' };
  const ownFiles = addFiles(written, folder, 'files', own);
  files.set(`${folder}/${kind}.yaml`, yaml({ ...head, ...setup, ...ownFiles, tasks: shown }));
}

/** The texts of all themes and the files that they refer to. If any text is missing, none are copied. */
async function copyLessons(directory: string, { courses }: Content, lessons: string): Promise<string[]> {
  const own = courses.filter(({ repository }) => repository === undefined);
  const all = own.flatMap(({ sections }) => sections.flatMap((section) => section.themes));
  const themes = all.filter(({ is_written }) => is_written !== true);
  const source = await ContentFolder.open(lessons);
  const wanted = new Set<string>();
  const missing = new Set<string>();
  for (const { file } of themes) {
    try {
      const text = await source.readText(file, maxLessonBytes);
      wanted.add(file);
      for (const path of referencedFiles(text, file)) wanted.add(path);
    } catch (error) {
      if (!(error instanceof UnusablePathError)) throw error;
      missing.add(file);
    }
  }
  if (missing.size > 0) return [...missing];
  for (const path of wanted) {
    const isThere = await source.checkFile(path).then(
      () => true,
      (error: unknown) => {
        // A text may refer to a missing file, as its readers see.
        if (error instanceof UnusablePathError) return false;
        throw error;
      },
    );
    if (!isThere) continue;
    const target = join(directory, 'lessons', path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(lessons, path), target);
  }
  return [];
}

const number = (index: number, count: number): string =>
  String(index + 1)
    .padStart(String(count).length, '0')
    .padStart(2, '0');

/** Omits empty fields, because an omitted field is read as empty. */
const optional = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** Omits fields that are as they would be without them. */
const withoutDefaults = (fields: object, defaults: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== defaults[name]));

const inactive = (is_active: boolean): { is_active?: false } => (is_active ? {} : { is_active: false });
