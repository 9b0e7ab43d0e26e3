import type { IncomingMessage } from 'node:http';
import { ConflictError, UnavailableError } from '../../errors.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../ports/container-engine.ts';
import { readAtMost } from '../engine/bounded-output.ts';
import type { FailureMeanings } from '../engine/engine-calls.ts';

/** An error status of the API server. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds, if the API server told them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A Pod that cannot run, with the error that the service reports for it. It concerns this Pod only. */
export class PodError extends Error {
  readonly meaning: UnavailableError;

  constructor(meaning: UnavailableError) {
    super(meaning.message);
    this.name = 'PodError';
    this.meaning = meaning;
  }
}

/** Reads the error of an answer. */
export async function failureOf(answer: IncomingMessage): Promise<ApiError> {
  const text = await readAtMost(answer, 256 * 1024).catch(() => '');
  const retryAfter = Number(answer.headers['retry-after']);
  return new ApiError(answer.statusCode ?? 500, messageOf(text), retryAfter > 0 ? retryAfter : undefined);
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text.slice(0, 1000);
  }
}

export const statusOf = (error: unknown): number | undefined => (error instanceof ApiError ? error.status : undefined);

const isQuota = ({ status, message }: ApiError): boolean =>
  status === 403 && /exceeded quota|failed quota|maximum .* usage per/i.test(message);
const isNamespaceMissing = ({ status, message }: ApiError): boolean => status === 404 && /^namespaces? /i.test(message);

function problemOf(error: unknown): string | undefined {
  if (error instanceof PodError) return undefined;
  if (!(error instanceof ApiError)) return 'The Kubernetes API server cannot be reached';
  if (isNamespaceMissing(error)) return `The namespace does not exist: ${error.message}`;
  if (error.status === 401) return 'The Kubernetes API server does not accept the credentials of the service';
  if (error.status === 403 && !isQuota(error)) return `The service lacks a right in the cluster: ${error.message}`;
  return undefined;
}

/** Maps errors of the API server to the port's errors. The message becomes `cause`, for the log. The client gets its meaning. */
function portError(error: unknown, ref: string): Error {
  if (error instanceof PodError) return error.meaning;
  const options = { retryAfter: 15, cause: error };
  if (!(error instanceof ApiError)) {
    return new UnavailableError('engine_unavailable', 'The container engine cannot be reached', options);
  }
  const { status, retryAfter = 5 } = error;
  if (status === 404 && !isNamespaceMissing(error)) return new NoSuchContainerError(ref);
  if (isQuota(error)) {
    return new UnavailableError('no_capacity', 'The cluster has no room for another container; try again later', {
      retryAfter: 30,
      cause: error,
    });
  }
  if (status === 429) {
    return new UnavailableError('engine_unavailable', 'The container engine has too much to do; try again soon', {
      retryAfter,
      cause: error,
    });
  }
  return new UnavailableError('engine_unavailable', 'The container engine has no room or failed', options);
}

export const kubernetesFailures: FailureMeanings = { statusOf, problemOf, portError };

/** The error of a call whose time is not limited as others are, because it transfers a home. */
export const transferError = (error: unknown, ref: string): Error =>
  isOfPort(error) ? error : kubernetesFailures.portError(error, ref);

const isOfPort = (error: unknown): error is Error =>
  [ConflictError, UnavailableError, NoSuchContainerError, ContainerNotRunningError].some(
    (kind) => error instanceof kind,
  );
