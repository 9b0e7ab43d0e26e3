import { Eye } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** Goes on as the teacher's test student. @param onBegin leads to what is previewed */
export function PreviewButton({ onBegin, disabled = false }: { onBegin: () => void; disabled?: boolean }) {
  const { preview } = useStrings().classes;
  const toasts = useToasts();
  const [isBusy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    try {
      session.look(await ok(api.POST('/api/teaching/test-student/view')), {
        from: location.pathname + location.search,
      });
      onBegin();
    } catch (error) {
      toasts.failed(error);
      setBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} disabled={disabled} onClick={() => void begin()}>
      <Eye size={16} aria-hidden="true" /> {preview.begin}
    </Button>
  );
}
