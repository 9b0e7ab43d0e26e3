import { GitError } from '../../../packages/git-mirror/git-failure.ts';
import { type MirrorEvent, type MirrorProblem, UnusableAddressError } from '../../../packages/git-mirror/problems.ts';
import { parseRepositoryAddress, type RepositoryAddress } from '../../../packages/git-mirror/repository-address.ts';
import { NotFoundError, UnavailableError } from '../../errors.ts';
import {
  repositoryProblem,
  repositoryProblems,
  UnusableRepositoryError,
  unreadableLessons,
} from '../../features/lesson-repositories/problems.ts';

export type MirrorLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

/** The outcome of an update: the commit that is served now, or why it failed, which is one of `repositoryProblems`. */
export type UpdateReport = (outcome: { commit: string | null } | { error: string }) => void;

/** A failure for the log, and its text for users. Output that is not of Git can contain anything, so it is only logged. */
export function describeFailure(error: unknown): { reason: string; output: string; told: string } {
  if (!(error instanceof GitError))
    return { reason: String(error), output: '', told: repositoryProblems.update_failed };
  const { text } = repositoryProblem(error.code, error.params);
  return { reason: text, output: error.output, told: text };
}

/** What a mirror has happened to do, in the log and for the pages. */
export const tellerOf =
  ({ log, report }: { log: MirrorLog; report?: UpdateReport | undefined }) =>
  (event: MirrorEvent): void => {
    if (event.kind === 'failed') {
      const { reason, output, told } = describeFailure(event.error);
      report?.({ error: told });
      log.warn({ reason, output, retry_in_seconds: event.retrySeconds }, 'The lessons could not be updated');
    } else if (event.kind === 'damaged') log.warn({}, 'The copy of the lessons is damaged and will be cloned again');
    else if (event.kind === 'checked') report?.({ commit: event.commit });
    else
      log.info({ commit: event.commit }, `The lessons ${event.kind === 'copied' ? 'were copied' : 'are up to date'}`);
  };

/** The error of the service for a problem of a mirror. */
export function errorOf(problem: MirrorProblem): Error {
  switch (problem.kind) {
    case 'no file':
      return new NotFoundError('lesson_file_not_found', 'Lesson file not found');
    case 'file too large':
      return new NotFoundError('lesson_file_too_large', 'Lesson file is too large');
    case 'folder too large':
      return unreadableLessons('folder_too_large', 'A folder of the lessons repository is too large');
    case 'damaged':
      return new UnavailableError('lessons_unavailable', 'The copy of the lessons is damaged');
    case 'fetching':
      return new UnavailableError('lessons_unavailable', 'The lessons are still being fetched', { retryAfter: 5 });
    case 'unreachable': {
      const retryAfter = Math.max(1, Math.ceil(problem.seconds));
      const { cause } = problem;
      return new UnavailableError('lessons_unavailable', 'The lessons repository cannot be reached', {
        retryAfter,
        cause,
      });
    }
    case 'outdated':
      return unreadable(problem.cause, 'The lessons repository could not be updated');
  }
}

/** @param cause a GitError says more than that Git failed */
export function unreadable(cause: unknown, detail: string): UnavailableError {
  const failure = cause instanceof GitError ? cause : new GitError('git_failed');
  return unreadableLessons(failure.code, `${detail}: ${describeFailure(failure).told}`, cause);
}

/** @throws UnusableRepositoryError in place of the error of an address or a branch */
export function usable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnusableAddressError)) throw error;
    const prefix = "The lessons repository's address (LESSONS_REPO_URL) is not usable: ";
    throw new UnusableRepositoryError(error.code, error.code === 'branch_invalid' ? '' : prefix);
  }
}

/** @throws UnusableRepositoryError without the address, which can contain a password */
export const addressOf = (url: string): RepositoryAddress => usable(() => parseRepositoryAddress(url));
