import type { EditedCourse } from './tree-query.ts';

export type Tree = readonly EditedCourse[];
/** The service's words: it calls a lesson a theme. */
export type NodeKind = 'course' | 'section' | 'theme';

/** A target position: at `index` among the children of `parentId`. Courses have no parent. */
export type NodePosition = { kind: NodeKind; id: number; parentId: number | undefined; index: number };

/** The request for one row that moves it to its new position. */
export type OrderChange = {
  kind: NodeKind;
  id: number;
  fields: { order_index: number; course_id?: number; section_id?: number };
};
type Moved = { tree: EditedCourse[]; changes: OrderChange[] };
type Ordered = { id: number; order_index: number };

/** The tree after a move, and the changes to save. */
export function moveNode(tree: Tree, place: NodePosition): Moved {
  const { kind, parentId } = place;
  if (kind === 'course') {
    const { rows, changes } = insert(tree, undefined, place);
    return { tree: rows, changes };
  }
  const changes: OrderChange[] = [];
  if (kind === 'section') {
    const given = tree.flatMap(({ sections }) => sections).find(({ id }) => id === place.id);
    const courses = tree.map((course) => {
      if (course.id !== parentId) return { ...course, sections: without(course.sections, place.id) };
      const from = given && { ...given, course_id: parentId };
      const placed = insert(course.sections, from, place, { course_id: parentId });
      changes.push(...placed.changes);
      return { ...course, sections: placed.rows };
    });
    return { tree: courses, changes };
  }
  const given = tree
    .flatMap(({ sections }) => sections)
    .flatMap(({ themes }) => themes)
    .find(({ id }) => id === place.id);
  const courses = tree.map((course) => ({
    ...course,
    sections: course.sections.map((section) => {
      if (section.id !== parentId) return { ...section, themes: without(section.themes, place.id) };
      const from = given && { ...given, section_id: parentId };
      const placed = insert(section.themes, from, place, { section_id: parentId });
      changes.push(...placed.changes);
      return { ...section, themes: placed.rows };
    }),
  }));
  return { tree: courses, changes };
}

const without = <Row extends Ordered>(rows: readonly Row[], id: number): Row[] => rows.filter((row) => row.id !== id);

/**
 * Siblings with one of them, or one from another parent, at its new position. Distinct order numbers are reused, so that as few rows as
 * possible change.
 */
function insert<Row extends Ordered>(
  siblings: readonly Row[],
  given: Row | undefined,
  { kind, id, index }: NodePosition,
  parent: { course_id?: number; section_id?: number } = {},
): { rows: Row[]; changes: OrderChange[] } {
  const own = siblings.find((row) => row.id === id);
  const moved = own ?? given;
  if (!moved) return { rows: [...siblings], changes: [] };
  const placed = without(siblings, id).toSpliced(index, 0, moved);
  const used = siblings.map(({ order_index }) => order_index);
  if (!own) used.push((used.at(-1) ?? 0) + 1);
  const isRising = used.every((number, at) => at === 0 || number > (used[at - 1] ?? 0));
  const changes: OrderChange[] = [];
  const rows = placed.map((row, at): Row => {
    const order_index = (isRising ? used[at] : undefined) ?? at + 1;
    const comesFromElsewhere = row.id === id && !own;
    if (order_index !== row.order_index || comesFromElsewhere)
      changes.push({ kind, id: row.id, fields: { order_index, ...(comesFromElsewhere ? parent : {}) } });
    return { ...row, order_index };
  });
  return { rows, changes };
}
