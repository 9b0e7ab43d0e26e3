import { UnavailableError } from '../../errors.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../ports/container-engine.ts';
import type { FailureMeanings } from '../engine/engine-calls.ts';

type EngineFailure = Error & { statusCode?: number; json?: { message?: string }; code?: string };

const isFailure = (error: unknown): error is EngineFailure => error instanceof Error;

export const statusOf = (error: unknown): number | undefined => (isFailure(error) ? error.statusCode : undefined);

/** Removes identifiers: one in a thousand contains the word `dead`. */
const messageOf = (error: EngineFailure): string =>
  (error.json?.message ?? error.message).replace(/\b[0-9a-f]{12,64}\b/g, 'ID');

/** The engine did not answer at all, as opposed to answering with an error. */
const isUnreachable = (error: unknown): boolean => isFailure(error) && error.statusCode === undefined;

export const isNameTaken = (error: unknown): boolean =>
  statusOf(error) === 409 && isFailure(error) && /already in use/.test(messageOf(error));

export const isUnsupportedDiskLimit = (error: unknown): boolean =>
  isFailure(error) && /storage-opt|storage opt|pquota|--storage/i.test(messageOf(error));

/** The container is frozen (Docker: paused) already, so it cannot be started or frozen. */
export const isFrozen = (error: unknown): boolean =>
  isFailure(error) && /paused container|already paused|is paused|state improper.*paused/i.test(messageOf(error));

/** runc gives up where new processes appear all the time while it freezes, and thaws what it has frozen. */
export const isFreezeGivenUp = (error: unknown): boolean =>
  isFailure(error) && /unable to freeze/i.test(messageOf(error));

export const isNotFrozen = (error: unknown): boolean => isFailure(error) && /not paused/i.test(messageOf(error));

/** The engine worked correctly, but the content of the container prevents it from running. */
export const isBrokenInside = (error: unknown): boolean =>
  isFailure(error) &&
  /OCI runtime create failed/.test(messageOf(error)) &&
  !/no space|memory|resource temporarily|too many/i.test(messageOf(error));

/**
 * Maps errors of the engine's client to the port's errors. The engine's message becomes `cause`, for the log. The client gets its
 * meaning.
 */
export function portError(error: unknown, ref: string): Error {
  if (!isFailure(error))
    return new UnavailableError('engine_unavailable', 'The container engine failed', { cause: error });
  const message = messageOf(error);
  if (error.statusCode === 404 && /no such image/i.test(message)) {
    return new UnavailableError('image_missing', 'The container image does not exist', {
      retryAfter: 60,
      cause: error,
    });
  }
  if (/unknown (or invalid )?runtime/i.test(message)) {
    const detail = 'The container engine does not have the configured runtime';
    return new UnavailableError('engine_unavailable', detail, { retryAfter: 60, cause: error });
  }
  if (error.statusCode === 404 && /no such container/i.test(message)) return new NoSuchContainerError(ref);
  // The engine forgets the execs of a container when it stops. If it was removed, the next call reports that.
  if (error.statusCode === 404 && /no such exec/i.test(message)) return new ContainerNotRunningError(ref);
  if (error.statusCode === 409 && /is not running|is paused|removal.*in progress|dead/i.test(message)) {
    return /removal|dead/i.test(message) ? new NoSuchContainerError(ref) : new ContainerNotRunningError(ref);
  }
  if (isUnreachable(error))
    return new UnavailableError('engine_unavailable', 'The container engine cannot be reached', {
      retryAfter: 15,
      cause: error,
    });
  return new UnavailableError('engine_unavailable', 'The container engine has no room or failed', {
    retryAfter: 15,
    cause: error,
  });
}

export const dockerFailures: FailureMeanings = {
  statusOf,
  problemOf: (error) => (isUnreachable(error) ? 'The container engine cannot be reached' : undefined),
  portError,
};
