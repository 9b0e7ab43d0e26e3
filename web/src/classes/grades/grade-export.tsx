import { Download } from 'lucide-react';
import { download } from '../../api/download.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { useToasts } from '../../ui/toasts.tsx';

const formats = ['all', 'columns', 'moodle', 'canvas'] as const;

/** Saves the grades of all students in a format. */
export function GradeExport({ classId }: { classId: number }) {
  const t = useStrings();
  const toasts = useToasts();
  const save = (format: (typeof formats)[number]): void =>
    void download(`/api/classes/${classId}/grades`, { format }, 'text/csv').catch(toasts.failed);
  return (
    <Menu
      trigger={
        <Button>
          <Download size={16} aria-hidden="true" /> {t.gradeBook.export}
        </Button>
      }
    >
      {formats.map((format) => (
        <MenuItem key={format} onSelect={() => save(format)}>
          {t.gradeBook.exports[format]}
        </MenuItem>
      ))}
    </Menu>
  );
}
