import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Body } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Door, useDoor } from '../teaching-model/door.ts';
import { showArrival } from '../ui/lists/arrivals.ts';
import { useToasts } from '../ui/toasts.tsx';
import { writeLesson } from '../written-lessons/queries.ts';
import { moveNode, type NodeKind, type NodePosition, type OrderChange } from './move-node.ts';
import { laboratoriesQuery, treeQuery } from './tree-query.ts';

/** The fields of all three levels. Each level uses its own. */
export type NodeFields = Body<'/api/admin/lessons/courses', 'post'> &
  Body<'/api/admin/lessons/sections', 'post'> &
  Body<'/api/admin/lessons/themes', 'post'>;

const courses = '/api/admin/lessons/courses';
const sections = '/api/admin/lessons/sections';
const themes = '/api/admin/lessons/themes';
const course = (course_id: number) => ({ params: { path: { course_id } } });
const section = (section_id: number) => ({ params: { path: { section_id } } });
const lesson = (theme_id: number) => ({ params: { path: { theme_id } } });

/** The operations of the three levels under common names. */
const callsOf = ({ api }: Door, isAdmin: boolean) => ({
  course: {
    create: (body: NodeFields) => ok(api.POST(isAdmin ? courses : '/api/teaching/courses', { body })),
    update: (id: number, body: NodeFields) => ok(api.PUT(`${courses}/{course_id}`, { ...course(id), body })),
    remove: (id: number) => ok(api.DELETE(`${courses}/{course_id}`, course(id))),
  },
  section: {
    create: (body: NodeFields) => ok(api.POST(sections, { body })),
    update: (id: number, body: NodeFields) => ok(api.PUT(`${sections}/{section_id}`, { ...section(id), body })),
    remove: (id: number) => ok(api.DELETE(`${sections}/{section_id}`, section(id))),
  },
  theme: {
    create: (body: NodeFields) => ok(api.POST(themes, { body })),
    update: (id: number, body: NodeFields) => ok(api.PUT(`${themes}/{theme_id}`, { ...lesson(id), body })),
    remove: (id: number) => ok(api.DELETE(`${themes}/{theme_id}`, lesson(id))),
  },
});

const orderKey = ['authoring', 'order'];

/** The actions on courses, sections and lessons. They refresh all fetched data, including that of the students' pages. */
export function useTreeActions() {
  const t = useStrings();
  const client = useQueryClient();
  const toasts = useToasts();
  const door = useDoor();
  const calls = callsOf(door, useUser().role === 'admin');
  const { queryKey: treeKey } = treeQuery(door);
  const seeAnew = () => client.invalidateQueries();

  const order = useMutation({
    // Moves run sequentially, even in quick succession.
    scope: { id: 'authoring-tree' },
    mutationFn: async (changes: OrderChange[]) => {
      for (const { kind, id, fields } of changes) await calls[kind].update(id, fields);
    },
    onError: (error) => toasts.failed(error),
    onSettled: () => (client.isMutating({ mutationKey: orderKey }) > 1 ? undefined : seeAnew()),
    mutationKey: orderKey,
  });
  const move = (place: NodePosition): void => {
    const shown = client.getQueryData(treeKey);
    if (!shown) return;
    const { tree, changes } = moveNode(shown, place);
    if (changes.length === 0) return;
    void client.cancelQueries({ queryKey: treeKey });
    client.setQueryData(treeKey, tree);
    order.mutate(changes);
  };

  const place = useMutation({
    scope: { id: 'authoring-tree' },
    mutationFn: ({ id, section_id }: { id: number; section_id: number | null }) =>
      ok(door.api.PUT('/api/admin/laboratories/{id}', { params: { path: { id } }, body: { section_id } })),
    onError: (error) => toasts.failed(error),
    onSettled: seeAnew,
  });
  /** Moves a laboratory to another section, or out of all of them. Students find a section's laboratory after its lessons. */
  const moveLaboratory = (id: number, section?: { id: number; course_id?: number }): void => {
    const section_id = section?.id || null;
    const { queryKey } = laboratoriesQuery(door);
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, (all) => all?.map((one) => (one.id === id ? { ...one, section_id } : one)));
    place.mutate({ id, section_id });
    showArrival('laboratory', id, section?.course_id === undefined ? {} : { within: `course-${section.course_id}` });
  };

  /** @returns the id */
  const save = async (kind: NodeKind, id: number | undefined, fields: NodeFields): Promise<number> => {
    const saved = await (id === undefined ? calls[kind].create(fields) : calls[kind].update(id, fields));
    await seeAnew();
    return saved.id;
  };
  /** Opens the editor of a lesson's text, which is written in the pages from now on. */
  const write = async (id: number): Promise<void> => {
    try {
      const file = await writeLesson(door, id);
      void seeAnew();
      navigate({
        to: door.page('/administration/written-lessons/$fileId'),
        params: { ...door.params, fileId: `${file.id}` },
      });
    } catch (error) {
      toasts.failed(error);
    }
  };
  const remove = async (kind: NodeKind, id: number): Promise<void> => {
    await calls[kind].remove(id);
    // Its own page is gone.
    if (kind === 'course' && door.course) navigate({ to: '/teaching/courses' });
    await seeAnew();
  };
  const setActive = async (kind: 'course' | 'section', id: number, name: string, is_active: boolean): Promise<void> => {
    try {
      await save(kind, id, { is_active });
      toasts.done(is_active ? t.authoring.courses.shown(name) : t.authoring.courses.hidden(name));
    } catch (error) {
      toasts.failed(error);
    }
  };
  return { move, moveLaboratory, save, write, remove, setActive };
}
