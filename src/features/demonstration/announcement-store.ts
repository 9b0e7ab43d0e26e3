import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { Announcement } from './plan-store.ts';
import { type Entry, idOf, type Written } from './school-store.ts';

/** Writes announcements, and who has read them. @returns the entries that they leave in the activity log */
export async function writeAnnouncements(
  trx: Transaction<Tables>,
  announcements: readonly Announcement[],
  { users, classes }: Pick<Written, 'users' | 'classes'>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const { class: of, author, readers, title, text, shows_from, shows_until } of announcements) {
    const author_id = idOf(users, author.username);
    const class_id = of ? (classes.get(of) ?? null) : null;
    const { id } = await trx
      .insertInto('announcements')
      .values({ class_id, author_id, title, text, shows_from, shows_until, created_at: shows_from })
      .returning('id')
      .executeTakeFirstOrThrow();
    const reads = [author, ...readers].map(({ username }) => ({
      ...{ announcement_id: id, user_id: idOf(users, username), read_at: shows_from },
    }));
    await trx.insertInto('announcement_reads').values(reads).execute();
    const made = { type: 'announcement_create', title, entity_type: 'announcement', entity_id: id };
    entries.push({ ...made, actor_id: author_id, created_at: shows_from });
  }
  return entries;
}
