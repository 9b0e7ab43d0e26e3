import { type ClipboardEvent, type DragEvent, type RefObject, useState } from 'react';
import { useToasts } from '../ui/toasts.tsx';
import { uploadAvatar } from './queries.ts';

/** Uploads pictures that are chosen, dropped or pasted, and writes their links where the cursor is. */
export function usePictures(area: RefObject<HTMLTextAreaElement | null>, setText: (text: string) => void) {
  const toasts = useToasts();
  const [isUploading, setUploading] = useState(false);
  const insert = (markdown: string): void => {
    const { current } = area;
    if (!current) return;
    current.setRangeText(markdown, current.selectionStart, current.selectionEnd, 'end');
    setText(current.value);
  };
  const add = async (files: readonly File[]): Promise<void> => {
    setUploading(true);
    try {
      for (const file of files) {
        const { path } = await uploadAvatar(file);
        insert(`![${altOf(file.name)}](/${encodeURI(path)})\n`);
      }
    } catch (error) {
      toasts.failed(error);
    } finally {
      setUploading(false);
      area.current?.focus();
    }
  };
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    const files = [...data.files].filter(({ type }) => type.startsWith('image/'));
    if (files.length === 0) return;
    event.preventDefault();
    void add(files);
  };
  return {
    ...{ isUploading, add },
    handlers: {
      onPaste: (event: ClipboardEvent): void => take(event, event.clipboardData),
      onDrop: (event: DragEvent): void => take(event, event.dataTransfer),
    },
  };
}

/** The description of a picture that nobody has described yet: its name without brackets. */
const altOf = (name: string): string => name.replace(/\.[^.]*$/, '').replaceAll(/[[\]\\]/g, ' ');
