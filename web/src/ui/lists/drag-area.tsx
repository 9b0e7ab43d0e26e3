import {
  type Active,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useDndContext,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { GripVertical } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { about, type Draggable } from './draggable.tsx';

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
