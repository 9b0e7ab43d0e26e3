import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';
import type { CourseSummary, Section } from '../teaching-model/courses.ts';
import { type Door, grantsOf, useDoor } from '../teaching-model/door.ts';
import { allCourses } from '../teaching-model/parents.ts';

/** A course in the editor. Its sections are loaded when it is opened. */
export type EditedCourse = CourseSummary & { sections: Section[]; isLoaded: boolean };

/** With at most so many courses all of them are open at first. */
const fewCourses = 5;
const openKey = ['authoring', 'open-courses'];

/** The courses that are or were open in the editor. */
const openIn = (client: QueryClient): readonly number[] => client.getQueryData<number[]>(openKey) ?? [];

/** All courses, those that are open with their sections and lessons; behind the door of a course that one. */
export const treeQuery = ({ api, course: own, key }: Door) =>
  queryOptions({
    queryKey: ['authoring', 'tree', key],
    queryFn: async ({ signal, client }): Promise<EditedCourse[]> => {
      if (own) {
        const params = { path: { course_id: own.id } };
        const course = await ok(api.GET('/api/lessons/courses/{course_id}', { params, signal }));
        return [{ ...course, section_count: course.sections.length, next_theme: null, isLoaded: true }];
      }
      const courses = await allCourses(signal);
      const open = [...openIn(client), ...(courses.length <= fewCourses ? courses.map(({ id }) => id) : [])];
      client.setQueryData(openKey, open);
      return await Promise.all(
        courses.map(async (course) => {
          if (!open.includes(course.id)) return { ...course, sections: [], isLoaded: false };
          const params = { path: { course_id: course.id } };
          const { sections } = await ok(api.GET('/api/lessons/courses/{course_id}', { params, signal }));
          return { ...course, sections, isLoaded: true };
        }),
      );
    },
  });

export type TreeLaboratory = { id: number; title: string; is_active: boolean; section_id: number | null };

/** All laboratories with their sections, drafts included. */
export const laboratoriesQuery = ({ api, key }: Door) =>
  queryOptions({
    // Below the key of the lists, which every change of a laboratory invalidates.
    queryKey: ['authoring', 'laboratory', 'list', 'of-sections', key],
    queryFn: async ({ signal }): Promise<TreeLaboratory[]> => {
      const all = await okAll((query) => api.GET('/api/admin/laboratories', { params: { query }, signal }));
      return all.map(({ id, title, is_active, section_id }) => ({ id, title, is_active, section_id }));
    },
  });

/** Loads the sections of a course as well, from now on. @throws Problem */
export function useOpenCourse(): (id: number) => Promise<void> {
  const client = useQueryClient();
  const door = useDoor();
  return async (id) => {
    client.setQueryData(openKey, [...openIn(client), id]);
    await client.refetchQueries({ queryKey: treeQuery(door).queryKey }, { throwOnError: true });
  };
}

/** The lessons whose file is missing in the repository. Nothing is marked while the repository cannot be read. */
export const missingFilesQuery = ({ api, course, key }: Door) =>
  queryOptions({
    queryKey: ['lessons', 'missing-files', key],
    // Behind the door of a course its lessons tell.
    enabled: course === undefined,
    queryFn: ({ signal }) =>
      okAll((query) => api.GET('/api/admin/lessons/missing-files', { params: { query }, signal })),
  });

/** The sandbox templates that lessons can have: all of them, or those that a course may use. */
export const templateListQuery = ({ api, course, key }: Door) =>
  queryOptions({
    queryKey: ['authoring', 'template-choice', key],
    queryFn: async ({ signal }): Promise<{ id: number; name: string }[]> =>
      course
        ? (await grantsOf(course.id, signal)).templates
        : await okAll((query) => api.GET('/api/admin/sandbox-templates', { params: { query }, signal })),
  });

export type LessonRepository = Answer<'/api/admin/lessons/repositories'>[number];

/** The default repository, then the others. */
export const repositoriesQuery = ({ api, key }: Door) =>
  queryOptions({
    queryKey: ['authoring', 'repositories', key],
    queryFn: ({ signal }) =>
      okAll((query) => api.GET('/api/admin/lessons/repositories', { params: { query }, signal })),
  });

/** The highest order number among the sections of a course, or the lessons of a section. */
export async function lastOrderIn({ api }: Door, kind: 'section' | 'theme', parent: number): Promise<number> {
  const children = await okAll<{ order_index: number }>((page) =>
    kind === 'section'
      ? api.GET('/api/admin/lessons/sections', { params: { query: { ...page, course_id: parent } } })
      : api.GET('/api/admin/lessons/themes', { params: { query: { ...page, section_id: parent } } }),
  );
  return Math.max(0, ...children.map(({ order_index }) => order_index));
}
