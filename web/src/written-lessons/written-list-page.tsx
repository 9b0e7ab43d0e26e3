import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { navigate } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { behindDoor, DoorCrumbs } from '../teaching-model/behind-door.tsx';
import { type Door, useDoor } from '../teaching-model/door.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { PathForm } from './path-form.tsx';
import { createFile, type WrittenFile, writtenKey, writtenListQuery } from './queries.ts';

/** The files of lessons that are written in the pages. */
function List() {
  const t = useStrings();
  const words = t.written;
  const format = useFormat();
  const door = useDoor();
  const address = useAddress(door.page('/administration/written-lessons'));
  const query = useQuery(writtenListQuery(door, address.search));
  return (
    <ListPage
      title={t.common.links.writtenLessons}
      crumbs={<DoorCrumbs />}
      lead={words.lead}
      actions={
        <>
          {(query.data?.total ?? 0) > 0 && (
            <DownloadButton label={words.export} path={door.path('/api/admin/written-lessons/bundle')} />
          )}
          {door.mayChange && <NewFile />}
        </>
      }
      {...address}
      query={query}
      filters={[
        { text: 'q', label: words.search },
        {
          choice: 'is_deleted',
          label: words.show,
          fallback: 'false',
          options: [
            { value: 'false', label: words.present },
            { value: 'true', label: words.deleted },
          ],
        },
      ]}
      empty={{ title: words.emptyTitle, help: words.emptyHelp }}
      columns={columnsOf(words, format, door)}
    />
  );
}

export const WrittenListPage = behindDoor(List);

const columnsOf = (
  words: Strings['written'],
  format: ReturnType<typeof useFormat>,
  door: Door,
): Column<WrittenFile>[] => [
  {
    title: words.lessons,
    cell: ({ id, path, lessons }) => (
      <Link
        to={door.page('/administration/written-lessons/$fileId')}
        params={{ ...door.params, fileId: `${id}` }}
        className="inline-block min-w-40 py-1 wrap-anywhere text-accent underline underline-offset-2"
      >
        {lessons.map(({ title }) => title).join(', ') || path}
      </Link>
    ),
  },
  {
    title: words.path,
    isMinor: true,
    cell: ({ path }) => <code className="wrap-anywhere">{path}</code>,
  },
  { title: words.size, isNumber: true, isMinor: true, isShort: true, cell: ({ bytes }) => format.bytes(bytes) },
  { title: words.changed, isMinor: true, isShort: true, cell: ({ changed_at }) => format.time(changed_at) },
];

function NewFile() {
  const words = useStrings().written;
  const client = useQueryClient();
  const door = useDoor();
  const [isOpen, setOpen] = useState(false);
  const create = async (path: string): Promise<void> => {
    const { id } = await createFile(door, { path, text: '' });
    await client.invalidateQueries({ queryKey: writtenKey });
    navigate({
      to: door.page('/administration/written-lessons/$fileId'),
      params: { ...door.params, fileId: `${id}` },
    });
  };
  return (
    <>
      <Button look="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden="true" /> {words.add}
      </Button>
      <Dialog title={words.add} isOpen={isOpen} onOpenChange={setOpen}>
        <PathForm path="" onSend={create} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
