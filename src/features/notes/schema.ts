import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, Nullable, Timestamp } from '../../http/protocol/schemas.ts';

const text = Type.String({ maxLength: 4000, description: 'Empty for a bookmark.' });

export const NoteSchema = Type.Object(
  {
    id: Id,
    theme_id: Id,
    theme_title: Nullable(Type.String({ description: 'Null where the caller does not see the theme any more.' })),
    heading: Type.String({ description: 'The id of the heading above the paragraph; empty above the first one.' }),
    excerpt: Type.String({ description: 'The beginning of the paragraph.' }),
    text,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Note' },
);

export const NoteBody = Type.Object(
  {
    theme_id: Id,
    heading: Type.Optional(Type.String({ maxLength: 300 })),
    excerpt: Type.String({ minLength: 1, maxLength: 300 }),
    text: Type.Optional(text),
  },
  { title: 'NewNote' },
);

export const NoteChanges = Type.Object({ text }, { title: 'NoteChanges' });

export const NoteQuery = Type.Object({ ...PageQuery.properties, theme_id: Type.Optional(Id) });
