import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import { NoteItem } from './note-item.tsx';
import { type Note, notesQuery } from './queries.ts';

/** The user's notes and bookmarks in all lessons. */
export function NotesPage() {
  const t = useStrings();
  const address = useAddress('/notes');
  return (
    <ListPage
      title={t.notes.title}
      lead={t.notes.privacy}
      {...address}
      query={useQuery(notesQuery(address.search))}
      empty={{ title: t.notes.none, help: t.notes.noneHelp }}
    >
      {({ items }) => (
        <ul className="flex flex-col gap-2">
          {items.map((note) => (
            <li key={note.id}>
              <NoteItem note={note} place={<NotePlace note={note} />} />
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  );
}

function NotePlace({ note: { theme_id, theme_title, heading, excerpt } }: { note: Note }) {
  const t = useStrings();
  return (
    <>
      {theme_title === null ? (
        <p className="font-medium">{t.notes.hiddenLesson}</p>
      ) : (
        <Link
          to="/lessons/$lessonId"
          params={{ lessonId: String(theme_id) }}
          {...(heading === '' ? {} : { hash: heading })}
          className="font-medium text-accent underline"
        >
          {theme_title}
        </Link>
      )}
      <p className="text-ink-soft">{excerpt}</p>
    </>
  );
}
