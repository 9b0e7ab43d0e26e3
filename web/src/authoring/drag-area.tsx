import {
  type Active,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  type Over,
  PointerSensor,
  type UniqueIdentifier,
  useDndContext,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';

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

const about = (one: Active | Over | null): Draggable | undefined => one?.data.current as Draggable | undefined;

/** An area in which items are reordered by pointer, finger or keyboard. Every step is announced. */
export function DragArea({
  onDrop,
  children,
}: {
  /** `target` is the item at the place where `dragged` was dropped. */
  onDrop: (dragged: Draggable, target: Draggable) => void;
  children: ReactNode;
}) {
  const t = useStrings().authoring.drag;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const lastOver = useRef<UniqueIdentifier>(undefined);
  const name = (active: Active): string => about(active)?.name ?? '';
  const drop = ({ active, over }: DragEndEvent): void => {
    const [dragged, target] = [about(active), about(over)];
    if (dragged && target && active.id !== over?.id) onDrop(dragged, target);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: { draggable: t.instructions },
        announcements: {
          onDragStart: ({ active }) => {
            lastOver.current = active.id;
            return t.taken(name(active));
          },
          onDragOver: ({ active, over }) => {
            const target = about(over);
            // A dragged item is over its own place at once, and that announcement would replace the first one.
            if (!target || over?.id === lastOver.current) return undefined;
            lastOver.current = over?.id;
            return target.parent
              ? t.overIn(name(active), target.parent.name, target.index + 1, target.count)
              : t.over(name(active), target.index + 1, target.count);
          },
          onDragEnd: ({ active }) => t.dropped(name(active)),
          onDragCancel: ({ active }) => t.cancelled(name(active)),
        },
      }}
    >
      {children}
      {/* On top of everything, because the dragged item leaves its own list. */}
      <DragOverlay dropAnimation={null}>
        <Carried />
      </DragOverlay>
    </DndContext>
  );
}

function Carried() {
  const dragged = about(useDndContext().active);
  return (
    <div className="flex min-h-11 items-center gap-2 rounded-md border border-accent bg-raised px-2 text-sm font-medium shadow-xl">
      <GripVertical size={16} aria-hidden="true" className="shrink-0 text-ink-soft" />
      <span className="truncate">{dragged?.name}</span>
    </div>
  );
}

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
