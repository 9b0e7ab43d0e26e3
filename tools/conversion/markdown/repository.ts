import { runInThread } from '../../../packages/limits/run-in-thread.ts';
import type { ReadOutline } from '../../../src/features/course-imports/conversion.ts';
import type { HeldCourse, OutlineCourse, Plan, Stored } from '../../../src/features/course-imports/schema.ts';
import { unreadableLessons } from '../../../src/features/lesson-repositories/problems.ts';
import { slugOf } from '../slugs.ts';
import { closest, mergeCourse } from './merge.ts';
import type { Outline } from './outline.ts';
import type { OutlineTask } from './outline-worker.ts';
import { readVersion } from './read-source.ts';

const program = new URL('./outline-worker.ts', import.meta.url);
const limits = { seconds: 30, heapMb: 512 };

/** The way of the service to this conversion, which the composition hands to it. */
export const readOutline: ReadOutline = async (version, { name, language }) => {
  const read = await readVersion(version);
  const task: OutlineTask = { files: read.files, name, language };
  const { courses, problems, warnings, ...outline } = await runInThread<Outline>(program, task, limits, tooSlow);
  return {
    ...outline,
    problems: [...read.problems, ...problems],
    warnings: [...read.warnings, ...warnings],
    plan: (stored) => planOf(courses, stored),
  };
};

const tooSlow = (cause?: unknown) => unreadableLessons('read_timeout', 'The repository takes too long to read', cause);

function planOf(courses: readonly OutlineCourse[], { courses: stored, slugs }: Stored): Plan {
  const taken = new Set(slugs);
  const free = new Set(stored);
  const plan: Plan = { planned: [], changes: [] };
  for (const next of courses) {
    const held = closest(
      next,
      [...free].map(({ course }) => course),
    );
    const known = [...free].find(({ course }) => course === held);
    const own = known && shares(known.course, next) ? known : undefined;
    if (own) free.delete(own);
    const wanted = own ? next : { ...next, slug: slugOf(next.slug, taken) };
    const { course, changes } = mergeCourse(own?.base, own?.course, wanted);
    const keptThemes = new Set(course.sections.flatMap(({ themes }) => themes.map(({ id }) => id)));
    const keptSections = new Set(course.sections.map(({ id }) => id));
    const before = own?.course.sections ?? [];
    const goneThemes = before
      .flatMap(({ themes }) => themes)
      .flatMap(({ id }) => (id && !keptThemes.has(id) ? [id] : []));
    const goneSections = before.flatMap(({ id }) => (id && !keptSections.has(id) ? [id] : []));
    plan.planned.push({ course, outline: { ...next, slug: course.slug }, goneThemes, goneSections });
    plan.changes.push(...changes);
  }
  return plan;
}

/** A course that has no lesson of the repository only has its name. */
function shares(course: HeldCourse, other: HeldCourse): boolean {
  const files = new Set(other.sections.flatMap(({ themes }) => themes.map(({ file }) => file)));
  return course.sections.some(({ themes }) => themes.some(({ file }) => files.has(file)));
}
