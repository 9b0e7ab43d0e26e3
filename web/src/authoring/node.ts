import type { LessonInTree, Section } from '../teaching-model/courses.ts';
import type { NodeKind } from './move-node.ts';
import type { EditedCourse } from './tree-query.ts';

/** A node in the tree of courses. */
export type Node = EditedCourse | Section | LessonInTree;

export const isWritten = (node: Node): boolean => 'is_written' in node && node.is_written;

export const nameOf = (node: Node): string => ('title' in node ? node.title : node.name);

/** The open dialog above the tree. Without a `node` it creates one. */
export type OpenDialog =
  | { dialog: 'edit'; kind: NodeKind; node?: Node; parentId: number | undefined }
  | { dialog: 'delete'; kind: NodeKind; node: Node }
  | { dialog: 'copy'; node: EditedCourse }
  | { dialog: 'preview'; lesson: LessonInTree };
