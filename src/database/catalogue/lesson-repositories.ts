import type { Transaction } from 'kysely';
import { ConflictError } from '../../errors.ts';
import type { Tables } from '../tables.ts';

/** The name of a repository that nobody has named: the last part of its address. */
export const repositoryNameOf = (url: string): string => {
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  const name = last.replace(/\.git$/, '').slice(0, 200);
  return name === '' ? 'Lessons' : name;
};

/** The id of the repository with an address. It is created without a key where there is none. */
export async function repositoryIdAt(
  trx: Transaction<Tables>,
  { url, branch }: { url: string; branch: string | null },
): Promise<number> {
  const created = await trx
    .insertInto('lesson_repositories')
    .values({ name: repositoryNameOf(url), url, branch })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created) return created.id;
  const found = await trx
    .selectFrom('lesson_repositories')
    .select('id')
    .where('url', '=', url)
    .where('branch', 'is not distinct from', branch)
    .executeTakeFirstOrThrow();
  return found.id;
}

/** @throws ConflictError with more repositories than there can be */
export async function checkRepositoryRoom(trx: Transaction<Tables>, max: number): Promise<void> {
  const { count } = await trx
    .selectFrom('lesson_repositories')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) > max)
    throw new ConflictError(
      'catalogue_full',
      `There are ${max} lesson repositories already, the most that there can be`,
    );
}
