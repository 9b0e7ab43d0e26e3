import { type Active, type Over, useDndContext, useDroppable } from '@dnd-kit/core';
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { classes } from '../classes.ts';

/** The dragged item or its target, described for screen readers. */
export type Draggable = {
  /** An item can only take the place of an item of its own kind. */
  kind: string;
  id: number | string;
  name: string;
  /** Zero-based position among `count`. */
  index: number;
  count: number;
  parent?: { id: number; name: string };
};

/** The data of an item. */
export const about = (one: Active | Over | null): Draggable | undefined => one?.data.current as Draggable | undefined;

/** The kind of the item that is being dragged. */
export const useDraggedKind = (): string | undefined => about(useDndContext().active)?.kind;

/** Makes an element draggable: its own `ref` and `style`, and its drag handle. */
export function useDraggable(data: Draggable) {
  const dragged = useDraggedKind();
  const sortable = useSortable({
    id: `${data.kind}-${data.id}`,
    data,
    disabled: { droppable: dragged !== undefined && dragged !== data.kind },
  });
  const { setNodeRef, transform, transition, isDragging, isOver, active } = sortable;
  const style: CSSProperties = { transform: CSS.Translate.toString(transform), transition };
  // Only its own siblings move aside. Elsewhere a line shows the target position.
  const isTarget = isOver && about(active)?.parent?.id !== data.parent?.id;
  return {
    ref: setNodeRef,
    style,
    className: classes(isDragging && 'opacity-40', isTarget && 'border-t-2 border-t-accent'),
    handle: <Handle name={data.name} sortable={sortable} />,
  };
}

function Handle({
  name,
  sortable: { setActivatorNodeRef, attributes, listeners },
}: {
  name: string;
  sortable: ReturnType<typeof useSortable>;
}) {
  const t = useStrings();
  return (
    <button
      type="button"
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={t.authoring.drag.handle(name)}
      title={t.authoring.drag.handle(name)}
      className="inline-flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink active:cursor-grabbing"
    >
      <GripVertical size={16} aria-hidden="true" />
    </button>
  );
}

/** The end of a list of items of one kind, a drop target for items of other lists. */
export function DropEnd({
  kind,
  parent,
  count,
  children,
}: {
  kind: string;
  parent: { id: number; name: string };
  count: number;
  children: ReactNode;
}) {
  const dragged = about(useDndContext().active);
  // The last item of the same list already provides that target.
  const isOpen = dragged?.kind === kind && dragged.parent?.id !== parent.id;
  const data: Draggable = { kind, id: 'end', name: '', index: count, count: count + 1, parent };
  const { setNodeRef, isOver } = useDroppable({ id: `${kind}-end-${parent.id}`, data, disabled: !isOpen });
  return (
    <div
      ref={setNodeRef}
      className={classes(
        'mt-1 flex flex-wrap items-center gap-2 rounded-md',
        isOpen && 'outline-1 outline-line-strong outline-dashed',
        isOver && 'bg-accent-soft',
      )}
    >
      {children}
    </div>
  );
}
