import { yaml } from './export-files.ts';
import { type CourseContent, layoutFormat } from './schema.ts';

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
