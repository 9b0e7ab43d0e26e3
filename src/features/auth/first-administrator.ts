import { randomBytes } from 'node:crypto';
import { BadRequestError } from '../../errors.ts';
import type { UserStore } from './store.ts';

export type FirstAdministrator = { username: string; email: string; password: string | undefined };

/**
 * Creates the first administrator of an empty database. Without a password one is generated.
 * @param hash computes the hash of the password; called only if the database is empty
 * @returns the generated password, or undefined where one was given or the database has users
 */
export async function ensureFirstAdministrator(
  users: Pick<UserStore, 'hasAnyUser' | 'create'>,
  hash: (password: string) => Promise<string>,
  { username, email, password }: FirstAdministrator,
): Promise<{ username: string; generatedPassword: string | undefined } | undefined> {
  if (await users.hasAnyUser()) return undefined;
  const generatedPassword = password === undefined ? randomBytes(12).toString('base64url') : undefined;
  const password_hash = await hash(password ?? generatedPassword ?? '');
  try {
    await users.create({ username, email, password_hash, role: 'admin' });
  } catch (error) {
    // Another process that started at the same time was faster, and reports the password.
    if (error instanceof BadRequestError) return undefined;
    throw error;
  }
  return { username, generatedPassword };
}
