import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes files that are dragged onto the terminal. The menu uploads files without a mouse. */
export function DropZone({
  isActive,
  onDrop,
  children,
}: {
  isActive: boolean;
  onDrop: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const { terminal: words } = useStrings();
  const [isOver, setOver] = useState(false);
  const handlers = isActive
    ? {
        onDragOver: (event: DragEvent): void => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setOver(true);
        },
        onDragLeave: (event: DragEvent<HTMLElement>): void => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        },
        onDrop: (event: DragEvent): void => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setOver(false);
          onDrop([...event.dataTransfer.files]);
        },
      }
    : {};
  return (
    <div className="relative min-h-0 flex-1 p-2" {...handlers}>
      {children}
      {isOver && (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center gap-2 rounded border-2 border-dashed border-accent bg-surface/90 p-4 font-medium">
          <Upload size={18} aria-hidden="true" /> {words.files.drop}
        </p>
      )}
    </div>
  );
}
