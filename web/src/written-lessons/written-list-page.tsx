import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { navigate } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { PathForm } from './path-form.tsx';
import { createFile, type WrittenFile, writtenKey, writtenListQuery } from './queries.ts';

/** The files of lessons that are written in the pages. */
export function WrittenListPage() {
  const t = useStrings();
  const words = t.written;
  const format = useFormat();
  const address = useAddress('/administration/written-lessons');
  const query = useQuery(writtenListQuery(address.search));
  return (
    <ListPage
      title={t.common.links.writtenLessons}
      lead={words.lead}
      actions={
        <>
          {(query.data?.total ?? 0) > 0 && (
            <DownloadButton label={words.export} path="/api/admin/written-lessons/bundle" />
          )}
          <NewFile />
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
      columns={columnsOf(words, format)}
    />
  );
}

const columnsOf = (words: Strings['written'], format: ReturnType<typeof useFormat>): Column<WrittenFile>[] => [
  {
    title: words.lessons,
    cell: ({ id, path, lessons }) => (
      <Link
        to="/administration/written-lessons/$fileId"
        params={{ fileId: `${id}` }}
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
  const [isOpen, setOpen] = useState(false);
  const create = async (path: string): Promise<void> => {
    const { id } = await createFile({ path, text: '' });
    await client.invalidateQueries({ queryKey: writtenKey });
    navigate({ to: '/administration/written-lessons/$fileId', params: { fileId: `${id}` } });
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
