import type { IncomingMessage } from 'node:http';
import { Conflict, Unavailable } from '../../errors.ts';
import { ContainerNotRunning, NoSuchContainer } from '../../ports/container-engine.ts';
import { readAtMost } from '../engine/bounded-output.ts';
import type { FailureMeanings } from '../engine/engine-calls.ts';

/** An error status of the API server. */
export class ApiFailure extends Error {
  readonly status: number;
  /** Seconds, if the API server told them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.name = 'ApiFailure';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A Pod that cannot run, with the error that the service reports for it. It concerns this Pod only. */
export class PodFailure extends Error {
  readonly meaning: Unavailable;

  constructor(meaning: Unavailable) {
    super(meaning.message);
    this.name = 'PodFailure';
    this.meaning = meaning;
  }
}

/** Reads the error of an answer. */
export async function failureOf(answer: IncomingMessage): Promise<ApiFailure> {
  const text = await readAtMost(answer, 256 * 1024).catch(() => '');
  const retryAfter = Number(answer.headers['retry-after']);
  return new ApiFailure(answer.statusCode ?? 500, messageOf(text), retryAfter > 0 ? retryAfter : undefined);
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text.slice(0, 1000);
  }
}

export const statusOf = (error: unknown): number | undefined =>
  error instanceof ApiFailure ? error.status : undefined;

const isQuota = ({ status, message }: ApiFailure): boolean =>
  status === 403 && /exceeded quota|failed quota|maximum .* usage per/i.test(message);
const isNamespaceMissing = ({ status, message }: ApiFailure): boolean =>
  status === 404 && /^namespaces? /i.test(message);

function problemOf(error: unknown): string | undefined {
  if (error instanceof PodFailure) return undefined;
  if (!(error instanceof ApiFailure)) return 'The Kubernetes API server cannot be reached';
  if (isNamespaceMissing(error)) return `The namespace does not exist: ${error.message}`;
  if (error.status === 401) return 'The Kubernetes API server does not accept the credentials of the service';
  if (error.status === 403 && !isQuota(error)) return `The service lacks a right in the cluster: ${error.message}`;
  return undefined;
}

/** Maps errors of the API server to the port's errors. The message becomes `cause`, for the log. The client gets its meaning. */
function portError(error: unknown, ref: string): Error {
  if (error instanceof PodFailure) return error.meaning;
  const options = { retryAfter: 15, cause: error };
  if (!(error instanceof ApiFailure)) {
    return new Unavailable('engine_unavailable', 'The container engine cannot be reached', options);
  }
  const { status, retryAfter = 5 } = error;
  if (status === 404 && !isNamespaceMissing(error)) return new NoSuchContainer(ref);
  if (isQuota(error)) {
    return new Unavailable('no_capacity', 'The cluster has no room for another container; try again later', {
      retryAfter: 30,
      cause: error,
    });
  }
  if (status === 429) {
    return new Unavailable('engine_unavailable', 'The container engine has too much to do; try again soon', {
      retryAfter,
      cause: error,
    });
  }
  return new Unavailable('engine_unavailable', 'The container engine has no room or failed', options);
}

export const kubernetesFailures: FailureMeanings = { statusOf, problemOf, portError };

/** The error of a call whose time is not limited as others are, because it transfers a home. */
export const transferError = (error: unknown, ref: string): Error =>
  isOfPort(error) ? error : kubernetesFailures.portError(error, ref);

const isOfPort = (error: unknown): error is Error =>
  [Conflict, Unavailable, NoSuchContainer, ContainerNotRunning].some((kind) => error instanceof kind);
