import type { NodeKind } from './move-node.ts';
import { isWritten, type Node, nameOf } from './node.ts';
import { lastOrderIn } from './tree-query.ts';
import type { NodeFields } from './use-tree-actions.ts';

/** A course, a section or a lesson while it is edited. Fields that its kind does not have are empty. */
export type NodeDraft = {
  name: string;
  description: string;
  icon: string;
  slug: string;
  /** The id of the parent course or section. */
  parent: string;
  /** Of a lesson. Empty for a new one that is written in the pages: named after the lesson. */
  file: string;
  /** Whether its text is in the repository of the course, or written in the pages. */
  source: 'repository' | 'written';
  duration: string;
  isActive: boolean;
  /** The id of a sandbox template, or empty. */
  template: string;
  isClassOnly: boolean;
  /** The id of another lesson repository of a course, `default`, or empty for no change. */
  repository: string;
};

export function nodeDraftOf(node: Node | undefined, parentId: number | undefined): NodeDraft {
  const isLesson = node !== undefined && 'markdown_file_path' in node;
  return {
    name: node ? nameOf(node) : '',
    description: node && 'description' in node ? node.description : '',
    icon: node && 'icon' in node ? node.icon : '',
    slug: node?.slug ?? '',
    parent: `${parentId ?? ''}`,
    file: isLesson ? node.markdown_file_path : '',
    source: node && isWritten(node) ? 'written' : 'repository',
    duration: isLesson ? `${node.duration_minutes}` : '',
    // Students see nothing of a new course or section before its author publishes it.
    isActive: node !== undefined && 'is_active' in node && node.is_active,
    template: `${node?.template_id ?? ''}`,
    isClassOnly: node !== undefined && 'is_class_only' in node && node.is_class_only,
    repository: '',
  };
}

const fieldNames: Record<string, keyof NodeDraft> = {
  name: 'name',
  title: 'name',
  description: 'description',
  icon: 'icon',
  slug: 'slug',
  course_id: 'parent',
  section_id: 'parent',
  markdown_file_path: 'file',
  is_written: 'source',
  duration_minutes: 'duration',
  template_id: 'template',
  repository_id: 'repository',
};

/** The draft field for the service's field `name`. */
export const draftFieldOf = (name: string): keyof NodeDraft | undefined => fieldNames[name];

/** The fields that are sent to save a draft. Without a slug the service creates one, or keeps the old one. */
export async function fieldsOf(kind: NodeKind, draft: NodeDraft, node: Node | undefined): Promise<NodeFields> {
  const slug = draft.slug.trim() === '' ? {} : { slug: draft.slug.trim() };
  const name = draft.name.trim();
  const { isActive: is_active, isClassOnly: is_class_only } = draft;
  const template_id = draft.template === '' ? null : Number(draft.template);
  if (kind === 'course') {
    const { description, icon } = draft;
    const { repository: chosen } = draft;
    const repository = chosen === '' ? {} : { repository_id: chosen === 'default' ? null : Number(chosen) };
    return { name, description, icon: icon.trim(), is_active, is_class_only, template_id, ...repository, ...slug };
  }
  const parent = Number(draft.parent);
  const before = node && ('course_id' in node ? node.course_id : 'section_id' in node ? node.section_id : undefined);
  // A node from another parent is put at the end.
  const order = node && before !== parent ? { order_index: (await lastOrderIn(kind, parent)) + 1 } : {};
  if (kind === 'section') return { name, course_id: parent, is_active, template_id, ...order, ...slug };
  const duration = draft.duration.trim() === '' ? {} : { duration_minutes: Number(draft.duration) };
  const is_written = draft.source === 'written';
  const path = draft.file.trim() || (is_written ? pathFor(name) : '');
  const file = { markdown_file_path: path, is_written, ...duration };
  return { title: name, section_id: parent, ...file, template_id, ...order, ...slug };
}

/** The path of the text of a new lesson. */
const pathFor = (title: string): string =>
  `${
    title
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-') ?? 'lesson'
  }.md`;
