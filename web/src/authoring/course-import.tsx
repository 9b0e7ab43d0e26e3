import { useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { api, type Body } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';

type Archive = Body<'/api/teaching/courses/{course_id}/import', 'post'>;

/** Imports the file of an export into a course. */
export function CourseImport({ courseId: course_id }: { courseId: number }) {
  const words = useStrings().authoring.staff;
  const toasts = useToasts();
  const client = useQueryClient();
  const chooser = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (file: File): Promise<void> => {
    setBusy(true);
    try {
      const body = await file.text().then(
        (text) => JSON.parse(text) as Archive,
        () => undefined,
      );
      if (!body) return toasts.warn(words.noExport);
      const path = { course_id };
      const changes = await ok(api.POST('/api/teaching/courses/{course_id}/import', { params: { path }, body }));
      toasts.done(words.imported(changes.length));
      await client.invalidateQueries();
    } catch (error) {
      toasts.failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={() => chooser.current?.click()}>
        <Upload size={16} aria-hidden="true" /> {words.import}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={words.import}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void send(file);
          target.value = '';
        }}
      />
    </>
  );
}
