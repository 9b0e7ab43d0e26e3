import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Upload } from 'lucide-react';
import { useState } from 'react';
import { pathOf } from '../../api/kinds.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DeleteButton } from '../../ui/delete-button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Fetched } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { deleteFile, filesQuery, type MachineFile } from './file-calls.ts';
import { ChangeFile, UploadFile } from './file-dialogs.tsx';
import type { AssessmentEditor } from './use-editor.ts';

/** The files that are put into each new container. They are saved immediately, unlike the fields of the form. */
export function FilesCard({ editor }: { editor: AssessmentEditor }) {
  const words = useStrings().authoring.files;
  const [asked, setAsked] = useState<'upload' | MachineFile>();
  const files = useQuery(filesQuery(editor.door, editor.kind, editor.saved.id));
  const close = (): void => setAsked(undefined);
  return (
    <Card className="flex flex-col gap-4 p-5">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-lg font-semibold">{words.title}</h2>
        {editor.door.mayChange && (
          <Button aria-haspopup="dialog" onClick={() => setAsked('upload')}>
            <Upload size={16} aria-hidden="true" /> {words.upload}
          </Button>
        )}
      </div>
      <p className="text-sm text-ink-soft">{words.help}</p>
      <Fetched query={files}>
        {(rows) => rows.length > 0 && <Files editor={editor} files={rows} onChange={setAsked} />}
      </Fetched>
      {asked === 'upload' && <UploadFile editor={editor} onClose={close} />}
      {asked !== undefined && asked !== 'upload' && <ChangeFile editor={editor} file={asked} onClose={close} />}
    </Card>
  );
}

function Files({
  editor: { door, kind, saved },
  files,
  onChange,
}: {
  editor: AssessmentEditor;
  files: readonly MachineFile[];
  onChange: (file: MachineFile) => void;
}) {
  const words = useStrings().authoring.files;
  const toasts = useToasts();
  const client = useQueryClient();
  const titles = new Map(saved.tasks.map(({ id, title }) => [id, title]));
  const remove = async ({ id, path }: MachineFile): Promise<void> => {
    await deleteFile(door, kind, saved.id, id);
    await client.invalidateQueries(filesQuery(door, kind, saved.id));
    toasts.done(words.deleted(path));
  };
  const contentPath = ({ id }: MachineFile): string =>
    door
      .path(pathOf(kind, '/api/admin/exams/{id}/files/{file_id}'))
      .replace('{id}', `${saved.id}`)
      .replace('{file_id}', `${id}`);
  return (
    <Table
      caption={words.title}
      rows={files}
      keyOf={({ id }) => id}
      columns={[
        { title: words.path, cell: ({ path }) => <span className="font-mono break-all">{path}</span> },
        { title: words.owner, isShort: true, cell: ({ owner }) => owner },
        { title: words.mode, isShort: true, cell: ({ mode }) => <span className="font-mono">{mode}</span> },
        { title: words.bytes, isNumber: true, isMinor: true, cell: ({ bytes }) => bytes },
        { title: words.neededBy, isMinor: true, cell: ({ task_id }) => titles.get(task_id ?? 0) ?? words.whole },
        {
          title: words.actions,
          isShort: true,
          cell: (file) => (
            <span className="flex gap-1">
              <DownloadButton
                size="small"
                label={words.download}
                name={words.downloadOf(file.path)}
                path={contentPath(file)}
              />
              {door.mayChange && (
                <>
                  <IconButton label={words.change(file.path)} aria-haspopup="dialog" onClick={() => onChange(file)}>
                    <Pencil size={16} aria-hidden="true" />
                  </IconButton>
                  <DeleteButton
                    label={words.delete(file.path)}
                    title={words.deleteTitle(file.path)}
                    onConfirm={() => remove(file)}
                  >
                    <p>{words.deleteHelp}</p>
                  </DeleteButton>
                </>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}
