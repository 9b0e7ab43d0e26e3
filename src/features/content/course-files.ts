import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import { defaultMode, defaultOwner } from '../containers/file-rules.ts';
import { type ContentFile, type CourseContent, layoutFormat } from './schema.ts';

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
      ...(section.opens_at === undefined ? {} : { opens_at: section.opens_at }),
      ...(section.opens_after === undefined ? {} : { opens_after: section.opens_after }),
      themes: section.themes,
    })),
  });

type Settings = { is_active?: boolean; sandbox_template?: string };

const settingsOf = ({ is_active = true, sandbox_template }: Settings): Settings => ({
  ...(is_active ? {} : { is_active }),
  ...(sandbox_template === undefined ? {} : { sandbox_template }),
});

/** The texts of an export by their paths, and the files of machines by their folders. */
export type Written = { files: Map<string, string>; folders: Map<string, ContentFile[]> };

/** Long texts are written as block literals, with their lines unchanged. */
export const yaml = (value: object): string => stringify(value, { lineWidth: 0, blockQuote: 'literal' });

/** Owners and modes are written where they are not the default. */
export function addFiles(
  { files, folders }: Written,
  folder: string,
  path: string,
  machineFiles: readonly ContentFile[],
): { files?: string } {
  if (machineFiles.length === 0) return {};
  folders.set(`${folder}/${path}`, [...machineFiles]);
  const listed = machineFiles
    .filter((file) => file.owner !== defaultOwner(file.path) || file.mode !== defaultMode)
    .map((file) => ({ path: file.path, owner: file.owner, mode: file.mode }));
  if (listed.length > 0)
    files.set(`${folder}/${path}.yaml`, yaml({ format: layoutFormat, kind: 'files', files: listed }));
  return { files: path };
}

export async function writeMachineFile(path: string, { read }: Pick<ContentFile, 'read'>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await using file = await open(path, 'wx', 0o644);
  for await (const chunk of read()) await file.write(chunk);
}
