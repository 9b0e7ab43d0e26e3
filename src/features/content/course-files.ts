import type { ContentFolder } from './content-folder.ts';
import { yaml } from './export-files.ts';
import type { Problem } from './problems.ts';
import { type CourseContent, CourseFile, layoutFormat } from './schema.ts';
import { YamlFile } from './yaml-file.ts';

const maxYamlBytes = 1024 * 1024;

/** A course as its file has it. An omitted field has its default. */
export type WrittenCourse = Omit<CourseContent, 'format' | 'kind' | 'icon' | 'is_active' | 'sections'> & {
  icon?: string;
  is_active?: boolean;
  sections: (Omit<CourseContent['sections'][number], 'is_active'> & { is_active?: boolean })[];
};

/** The file of a course, without the fields that have their defaults. */
export const courseText = ({
  slug,
  name,
  description,
  icon = '',
  repository,
  branch,
  sections,
  ...course
}: WrittenCourse): string =>
  yaml({
    ...{ format: layoutFormat, kind: 'course', slug, name },
    ...(description === '' ? {} : { description }),
    ...(icon === '' ? {} : { icon }),
    ...settingsOf(course),
    ...(repository === undefined ? {} : { repository }),
    ...(branch === undefined ? {} : { branch }),
    sections: sections.map((section) => ({
      ...{ slug: section.slug, name: section.name, ...settingsOf(section) },
      themes: section.themes,
    })),
  });

type Settings = { is_active?: boolean; sandbox_template?: string };

const settingsOf = ({ is_active = true, sandbox_template }: Settings): Settings => ({
  ...(is_active ? {} : { is_active }),
  ...(sandbox_template === undefined ? {} : { sandbox_template }),
});

/** The courses of a content directory with their files. Files that cannot be used are in `problems`. */
export async function readCourseFiles(
  folder: ContentFolder,
): Promise<{ courses: { path: string; course: WrittenCourse }[]; problems: Problem[] }> {
  const problems: Problem[] = [];
  const courses: { path: string; course: WrittenCourse }[] = [];
  for (const { name } of await folder.list('courses')) {
    if (!name.endsWith('.yaml')) continue;
    const path = `courses/${name}`;
    const file = new YamlFile(path, await folder.readText(path, maxYamlBytes), CourseFile, problems);
    if (!file.isValid) continue;
    const { format: _format, kind: _kind, ...course } = file.value;
    courses.push({ path, course });
  }
  return { courses, problems };
}
