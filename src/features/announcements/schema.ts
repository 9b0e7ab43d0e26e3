import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Name } from '../../http/protocol/fields.ts';
import { Id, Nullable, NullableTimestamp, Timestamp } from '../../http/protocol/schemas.ts';

const Moment = Type.String({ format: 'date-time' });
const Text = Type.String({ maxLength: 20_000, description: 'Markdown, as in lessons.' });

export const AnnouncementSchema = Type.Object(
  {
    id: Type.Integer(),
    class_id: Nullable(Type.Integer({ description: 'Null: to everybody.' })),
    class_name: Nullable(Type.String()),
    title: Type.String(),
    text: Text,
    author: Nullable(Type.String({ description: 'The full name or the username. Null if the account was deleted.' })),
    shows_from: Timestamp,
    shows_until: NullableTimestamp,
    is_shown: Type.Boolean({ description: 'Whether its readers see it now.' }),
    is_read: Type.Boolean({ description: 'By the caller.' }),
    may_change: Type.Boolean({ description: 'Whether the caller may change and delete it.' }),
    created_at: Timestamp,
    edited_at: NullableTimestamp,
  },
  { title: 'Announcement' },
);

const from = Type.Optional(
  Type.String({ format: 'date-time', description: 'Nobody else sees it earlier. Without it: now.' }),
);
const until = Type.Optional(Nullable(Moment));
export const NewAnnouncement = Type.Object(
  {
    class_id: Type.Optional(Nullable({ ...Id, description: 'Null or without it: to everybody.' })),
    title: Name,
    text: Type.Optional(Text),
    shows_from: from,
    shows_until: until,
  },
  { title: 'NewAnnouncement' },
);
export const AnnouncementChange = Type.Object(
  {
    title: Type.Optional(Name),
    text: Type.Optional(Text),
    shows_from: Type.Optional(Moment),
    shows_until: until,
  },
  { title: 'AnnouncementChange' },
);
export const AnnouncementQuery = Type.Object({
  class_id: Type.Optional(Id),
  is_read: Type.Optional(Type.Boolean()),
  ...PageQuery.properties,
});
