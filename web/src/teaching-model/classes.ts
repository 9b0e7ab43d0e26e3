import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type ListSearch, listQuery, pageQuery } from '../api/list-query.ts';
import { ok, okAll } from '../api/problem.ts';
import type { User } from '../api/user.ts';

export type SchoolClass = Answer<'/api/classes/{id}'>;
export type Member = Answer<'/api/classes/{id}/members'>[number];
export type JoinCode = Answer<'/api/classes/{id}/join-codes'>[number];
export type ImportedMember = Answer<'/api/classes/{id}/members/import', 'post'>[number];
export type ClassRole = Member['role'];

export const classRoles = ['student', 'assistant', 'instructor'] as const satisfies readonly ClassRole[];

/** All that is known of classes, for invalidation. */
export const classesKey = ['classes'] as const;

export type ClassSearch = ListSearch & {
  q?: string | undefined;
  is_archived?: boolean | undefined;
  sort?: 'name' | 'member_count' | 'created_at' | undefined;
};
export type MemberSearch = ListSearch & {
  q?: string | undefined;
  role?: ClassRole | undefined;
  sort?: 'username' | 'role' | 'joined_at' | undefined;
};

export const classesQuery = (search: ClassSearch) =>
  listQuery([...classesKey, 'list'], search, (options) => api.GET('/api/classes', options));

export const classQuery = (id: number) =>
  queryOptions({
    queryKey: [...classesKey, 'one', id],
    queryFn: ({ signal }) => ok(api.GET('/api/classes/{id}', { params: { path: { id } }, signal })),
  });

export type CopyMove = { shift_days: number } | { starts_on: string };

/** The dates of a class, and those that a copy would have. */
export const copyDatesQuery = (id: number, query: CopyMove) =>
  queryOptions({
    queryKey: [...classesKey, 'copy dates', id, query],
    queryFn: ({ signal }) => ok(api.GET('/api/classes/{id}/copy/dates', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });

/** Rows of a list have an id. */
export const membersQuery = (id: number, search: MemberSearch) => ({
  ...listQuery([...classesKey, 'members', `${id}`], search, ({ params: { query }, signal }) =>
    api.GET('/api/classes/{id}/members', { params: { path: { id }, query }, signal }),
  ),
  select: ({ items, ...page }: { items: Member[]; total: number }) => ({
    ...page,
    items: items.map((member) => ({ ...member, id: member.user_id })),
  }),
});

export type ProgressState = keyof ClassProgress['counts'];
/** Not as a CSV. */
export type ClassProgress = Exclude<Answer<'/api/classes/{id}/progress'>, string>;
export const progressStates = ['not_begun', 'stuck', 'begun', 'finished'] as const satisfies readonly ProgressState[];
export type ProgressSearch = ListSearch & { state?: ProgressState | undefined };

export const progressQuery = (id: number, search: ProgressSearch) =>
  queryOptions({
    queryKey: [...classesKey, 'progress', id, search],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: pageQuery(search) };
      return (await ok(api.GET('/api/classes/{id}/progress', { params, signal }))) as ClassProgress;
    },
    placeholderData: keepPreviousData,
  });

/** Not as a CSV. */
export type ClassGrades = Exclude<Answer<'/api/classes/{id}/grades'>, string>;

export type GradesState = 'passed' | 'failed' | 'missing';
export const gradesStates = ['passed', 'failed', 'missing'] as const satisfies readonly GradesState[];
export type GradesSearch = ListSearch & {
  q?: string | undefined;
  state?: GradesState | undefined;
  /** The key of an exam, a laboratory or a column, or the name of a figure. */
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
};
export type GradeColumn = ClassGrades['columns'][number];
export type GradeStatistics = Answer<'/api/classes/{id}/grades/statistics'>;
export type OwnGrades = Answer<'/api/classes/{id}/grades/mine'>;

export const gradesQuery = (id: number, search: GradesSearch) =>
  queryOptions({
    queryKey: [...classesKey, 'grades', id, search],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: pageQuery(search) };
      const fetched = await api.GET('/api/classes/{id}/grades', { params, signal });
      const grades = (await ok(Promise.resolve(fetched))) as ClassGrades;
      return { ...grades, total: Number(fetched.response.headers.get('X-Total-Count')) };
    },
    placeholderData: keepPreviousData,
  });

export const gradeStatisticsQuery = (id: number, item: string) =>
  queryOptions({
    queryKey: [...classesKey, 'grades', id, 'statistics', item],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/classes/{id}/grades/statistics', { params: { path: { id }, query: { item } }, signal })),
    placeholderData: keepPreviousData,
  });

export type GradeComparison = Answer<'/api/classes/{id}/grades/comparison'>;

export const gradeComparisonQuery = (id: number, other: number) =>
  queryOptions({
    queryKey: [...classesKey, 'grades', id, 'comparison', other],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { with: other } };
      return ok(api.GET('/api/classes/{id}/grades/comparison', { params, signal }));
    },
  });

/** All classes that the user sees, archived ones included. */
export const allClassesQuery = queryOptions({
  queryKey: [...classesKey, 'all'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/classes', { params: { query }, signal })),
});

export const ownGradesQuery = (id: number) =>
  queryOptions({
    queryKey: [...classesKey, 'own-grades', id],
    queryFn: ({ signal }) => ok(api.GET('/api/classes/{id}/grades/mine', { params: { path: { id } }, signal })),
  });

export const joinCodesQuery = (id: number) =>
  queryOptions({
    queryKey: [...classesKey, 'join-codes', id],
    queryFn: ({ signal }) =>
      okAll((query) => api.GET('/api/classes/{id}/join-codes', { params: { path: { id }, query }, signal })),
  });

/** Whether a user may read the list of members. */
export const isSupervisor = ({ my_role }: SchoolClass, { role }: User): boolean =>
  role !== 'student' || my_role === 'assistant' || my_role === 'instructor';

/** Students who supervise a class change nothing in it. */
export const mayChange = ({ my_role }: Pick<SchoolClass, 'my_role'>, { role }: User): boolean =>
  role === 'admin' || (role === 'instructor' && my_role === 'instructor');

/** What is done in the room of an exam session: pause, more time, messages. */
export const mayControl = ({ my_role }: Pick<SchoolClass, 'my_role'>, { role }: User): boolean =>
  role === 'admin' || my_role === 'instructor';
