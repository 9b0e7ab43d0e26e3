import { Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { useToasts } from './toasts.tsx';

/** Copies a text that is shown once, and reports that. */
export function CopyButton({ text, words }: { text: string; words: { copy: string; copied: string } }) {
  const toasts = useToasts();
  const copy = async (): Promise<void> => {
    if (await copyText(text)) toasts.done(words.copied);
  };
  return (
    <Button look="primary" onClick={() => void copy()}>
      <Copy size={16} aria-hidden="true" /> {words.copy}
    </Button>
  );
}
