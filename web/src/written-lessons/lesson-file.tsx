import { useQuery } from '@tanstack/react-query';
import { FileText, Folder } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Badge } from '../ui/card.tsx';
import { Select, TextField } from '../ui/forms/field.tsx';
import { fieldOf } from '../ui/forms/form-field.ts';
import { type FilesPlace, type LessonFile, lessonFilesQuery } from './queries.ts';

/** The fields of a lesson's form that these fields change. */
type FileFields = {
  /** The id of the section. */
  parent: string;
  file: string;
  source: 'repository' | 'written';
};

/** Where the text of a lesson is: in the repository of its course or written in the pages, and in which file. */
export function LessonFileFields<Draft extends FileFields>({ form: given }: { form: UseFormReturn<Draft> }) {
  const t = useStrings();
  // The form has more fields, which are not touched.
  const form = given as unknown as UseFormReturn<FileFields>;
  const [parent, file, source] = useWatch({ control: form.control, name: ['parent', 'file', 'source'] });
  const isWritten = source === 'written';
  const section = parent === '' ? undefined : { section_id: Number(parent) };
  return (
    <>
      <Select
        label={t.written.where}
        {...fieldOf(form, 'source')}
        options={[
          { value: 'repository', label: t.written.inRepository },
          { value: 'written', label: t.written.writtenHere },
        ]}
      />
      <FilePicker
        label={t.authoring.courses.file}
        help={t.authoring.courses.fileHelp}
        {...fieldOf(form, 'file')}
        place={isWritten ? { is_written: true } : section}
        value={file}
        onChoose={(path) => form.setValue('file', path, { shouldDirty: true, shouldValidate: true })}
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        required={!isWritten}
      />
    </>
  );
}

/** Files that are shown at once. What is typed narrows them. */
const maxShown = 200;

/** The path of a lesson's file: typed, or chosen from those of its repository. What is typed narrows the choice. */
function FilePicker({
  place,
  value,
  onChoose,
  ...field
}: ComponentProps<typeof TextField> & {
  /** Undefined where this is not known yet. */
  place: FilesPlace | undefined;
  value: string;
  onChoose: (path: string) => void;
}) {
  const words = useStrings().written;
  const [isOpen, setOpen] = useState(false);
  const { data: files } = useQuery({
    ...lessonFilesQuery(useDoor(), place ?? { is_written: true }),
    enabled: place !== undefined,
  });
  const isKnown = files?.some(({ path }) => path === value.trim());
  const isMissing = files !== undefined && value.trim() !== '' && !isKnown;
  const help = place && 'is_written' in place ? words.newFileHelp : words.noSuchFile;
  // A whole path would hide all other files.
  const fitting = (files ?? []).filter(({ path }) => isKnown || fits(path, value));
  return (
    <div className="flex flex-col gap-1">
      <TextField {...field} help={isMissing ? help : field.help} />
      {files !== undefined && files.length > 0 && (
        <details
          open={isOpen}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
          className="rounded-md border"
        >
          <summary className="min-h-10 cursor-pointer px-3 py-2 text-sm">
            {words.choose} <span className="text-ink-soft">({words.chooseHelp(fitting.length)})</span>
          </summary>
          {isOpen && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (axe: scrollable-region-focusable)
            <section aria-label={words.choose} tabIndex={0} className="max-h-64 overflow-y-auto border-t px-2 py-1">
              <Folders files={fitting.slice(0, maxShown)} value={value.trim()} onChoose={onChoose} />
            </section>
          )}
        </details>
      )}
    </div>
  );
}

const fits = (path: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => path.toLowerCase().includes(word));

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function Folders({
  files,
  value,
  onChoose,
}: {
  files: readonly LessonFile[];
  value: string;
  onChoose: (path: string) => void;
}) {
  const words = useStrings().written;
  const folders = [...new Set(files.map(({ path }) => folderOf(path)))];
  const filesIn = (folder: string) => files.filter(({ path }) => folderOf(path) === folder);
  return folders.map((folder) => (
    <div key={folder} className="py-1">
      <p className="flex items-center gap-1.5 px-1 text-xs font-medium text-ink-soft">
        <Folder size={13} aria-hidden="true" /> {folder || words.root}
      </p>
      <ul>
        {filesIn(folder).map(({ path, lessons }) => (
          <li key={path}>
            <button
              type="button"
              aria-pressed={path === value}
              onClick={() => onChoose(path)}
              className="flex min-h-8 w-full items-center gap-1.5 rounded px-2 text-left text-sm hover:bg-sunken aria-pressed:bg-accent-soft"
            >
              <FileText size={14} aria-hidden="true" className="shrink-0" />
              <span className="min-w-0 font-mono break-all">{path.slice(folder === '' ? 0 : folder.length + 1)}</span>
              {lessons.length > 0 && (
                <Badge tone="info">{words.used(lessons.map(({ title }) => title).join(', '))}</Badge>
              )}
            </button>
          </li>
        ))}
      </ul>
    </div>
  ));
}
