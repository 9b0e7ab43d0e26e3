import { Download } from 'lucide-react';
import { useState } from 'react';
import { download } from '../api/download.ts';
import { Button } from './button.tsx';
import { useToasts } from './toasts.tsx';

/** Saves a file of the API. */
export function DownloadButton({
  label,
  path,
  query,
  size = 'normal',
  name,
  type,
}: {
  label: string;
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  size?: 'normal' | 'small';
  /** Distinguishes several such buttons for screen readers. */
  name?: string;
  /** The format, of a path that has several. */
  type?: string;
}) {
  const toasts = useToasts();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await download(path, query, type).catch(toasts.failed);
    setBusy(false);
  };
  return (
    <Button size={size} isBusy={isBusy} onClick={() => void save()} {...(name ? { 'aria-label': name } : {})}>
      <Download size={16} aria-hidden="true" /> {label}
    </Button>
  );
}
