import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../database/connection/connect.ts';
import { changesAreKnown } from '../database/processes/agreement.ts';
import { ensureFirstAdministrator } from '../features/auth/first-administrator.ts';
import { UserStore } from '../features/auth/store.ts';
import { ContentService } from '../features/content/service.ts';
import { ContentStore } from '../features/content/store.ts';
import { withDatabase } from './open-database.ts';
import { toOutput as report } from './steps.ts';

/** Fills an empty database with the content that the project ships. */
export async function seedContent(address: DatabaseAddress, limits: Config['catalogue']): Promise<void> {
  const folder = fileURLToPath(new URL('../../content', import.meta.url));
  const made = await withDatabase(address, (db) =>
    new ContentService(new ContentStore(db, limits)).seedContent(folder),
  );
  if (made) await changesAreKnown(address);
  if (!made) report('content', 'there already');
  else
    report(
      'content',
      `${made.courses} courses with ${made.themes} themes, ${made.exams} exams and ${made.laboratories} laboratories with ${made.tasks} tasks`,
    );
}

export async function makeFirstAdministrator(address: DatabaseAddress, config: Config): Promise<void> {
  const hash = async (password: string) => {
    const { Passwords } = await import('../features/auth/passwords/passwords.ts');
    return await new Passwords(config.passwords).hash(password);
  };
  const first = await withDatabase(address, (db) =>
    ensureFirstAdministrator(new UserStore(db), hash, config.firstAdministrator),
  );
  if (!first) return;
  report('administrator', `${first.username} was created`);
  if (first.generatedPassword) report('password', `${first.generatedPassword}   (generated, and shown only this once)`);
}
