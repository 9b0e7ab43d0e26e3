import type { LessonRepository } from '../../database/tables.ts';
import { InvalidError } from '../../errors.ts';
import { codedItem } from '../../values/coded-problem.ts';
import { type RepositoryProblem, repositoryProblem, repositoryProblems, UnusableRepositoryError } from './problems.ts';

/** Encrypts texts. What was sealed for a place cannot be opened for another one. */
export type TextSeal = {
  seal: (text: string, place: string) => Buffer;
  open: (sealed: Buffer, place: string) => string | undefined;
};

const placeOf = (id: number): string => `lesson_repositories.sealed_key ${id}`;
export const unreadableKey = repositoryProblems.stored_key_unreadable;

/** The keys of lesson repositories, which are stored encrypted. */
export class RepositoryKeys {
  readonly #seal: TextSeal;

  constructor(seal: TextSeal) {
    this.#seal = seal;
  }

  seal(id: number, key: string): Buffer {
    return this.#seal.seal(key, placeOf(id));
  }

  isReadable(repository: Pick<LessonRepository, 'id' | 'sealed_key'>): boolean {
    const { id, sealed_key } = repository;
    return sealed_key === null || this.#seal.open(sealed_key, placeOf(id ?? 0)) !== undefined;
  }

  /** Undefined for a repository without a key. @throws UnusableRepositoryError if it cannot be decrypted */
  open({ id, sealed_key }: Pick<LessonRepository, 'id' | 'sealed_key'>): string | undefined {
    if (sealed_key === null) return undefined;
    const key = this.#seal.open(sealed_key, placeOf(id ?? 0));
    if (key === undefined) throw new UnusableRepositoryError('stored_key_unreadable');
    return key;
  }
}

const privateKey = /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\n[\s\S]+\n-----END [A-Z0-9 ]*PRIVATE KEY-----\n?$/;

/** A key as it is stored. @throws InvalidError for one that does not fit the address */
export function checkedKey(given: string, takes: 'ssh' | 'http' | 'https'): string {
  const key = `${given.replace(/\r\n?/g, '\n').trim()}`;
  if (takes === 'http') throw invalid('token_over_http');
  if (takes === 'ssh' && !privateKey.test(key)) throw invalid('ssh_key_invalid');
  if (takes === 'https' && !/^[\x21-\x7e]{1,4000}$/.test(key)) throw invalid('token_invalid');
  return key;
}

const invalid = (code: RepositoryProblem): InvalidError =>
  new InvalidError([codedItem(['body', 'key'], repositoryProblem(code))]);
