import { setTimeout as delay } from 'node:timers/promises';
import { type ContainerShell, ShellConnectionLostError } from '../../../packages/ssh/container-shell.ts';
import type { StopReason } from '../../database/tables.ts';
import { NotFoundError, UnauthorizedError, UnavailableError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../ports/container-engine.ts';
import type { TerminalContainer, TerminalContainers } from './containers.ts';
import { closeCodes, type ServerMessage, TerminalClosedError } from './protocol.ts';

/** How often and at which interval to poll. A container that is being stopped or removed is still recorded as running for a moment. */
const patience = { tries: 15, pause: 200 };

const gone = (cause?: unknown) => new TerminalClosedError(closeCodes.containerGone, 'The container is gone', { cause });
const connectionLost = (cause: unknown) =>
  new TerminalClosedError(closeCodes.tryAgainLater, 'The connection to the container was lost', { cause });
const stopped = (cause?: unknown, detail = 'The container is not running') =>
  new TerminalClosedError(closeCodes.notRunning, detail, { cause });

/** The client connects again, until the container runs on another machine. */
export const beingReplaced = (cause?: unknown) =>
  new TerminalClosedError(closeCodes.tryAgainLater, 'The machine of the container was lost; it is being replaced', {
    cause,
    wait: 'replacing',
  });

/** The client connects again, until the clock continues. */
export const heldNow = () =>
  new TerminalClosedError(closeCodes.tryAgainLater, 'Nobody works here now; terminals open when the clock continues', {
    wait: 'held',
  });

/** For the user of a new shell. */
export const replacedNotice = ({ home_kept_at }: NonNullable<TerminalContainer['replaced']>): ServerMessage => ({
  ...{ type: 'notice', reason: 'replaced', seconds_left: null },
  home_kept_at: home_kept_at?.toISOString() ?? null,
});

/** The message for a sandbox that its user did not stop. */
const stopReasons: Partial<Record<StopReason, string>> = {
  idle: 'The sandbox was stopped, because nobody used it; its files are kept',
  exam: 'The sandbox was stopped, because your exam does not allow it; its files are kept',
  room: 'The sandbox was stopped, because room was needed and nobody used it; its files are kept',
};

/** @throws TerminalClosedError when there is no running container to open a terminal in, or time is over */
export function checkRunning(container: TerminalContainer): void {
  const { status, expires_at, is_full, is_of_attempt, stop_reason, is_being_replaced } = container;
  if (status === 'removing') throw gone();
  if (expires_at !== null && expires_at.getTime() <= Date.now()) {
    throw new TerminalClosedError(closeCodes.containerGone, 'Time is over');
  }
  if (is_full) {
    const rest = is_of_attempt ? 'what is in it can be submitted' : 'delete it';
    throw new TerminalClosedError(
      closeCodes.containerGone,
      `The disk was full, so the container stays stopped; ${rest}`,
    );
  }
  if (is_being_replaced) throw beingReplaced();
  if (status !== 'running') throw stopped(undefined, stop_reason ? stopReasons[stop_reason] : undefined);
}

/** The meaning of an engine error for a terminal. Any other error is returned unchanged. */
function asClosed(error: unknown): unknown {
  if (error instanceof NoSuchContainerError) return gone(error);
  if (error instanceof ContainerNotRunningError) return stopped(error);
  return error;
}

/** The close of a socket after an error. @param onUnexpected receives an unexpected error, which the client does not see */
export function closedBy(error: unknown, onUnexpected: (error: unknown) => void): TerminalClosedError {
  const known = asClosed(error);
  if (known instanceof TerminalClosedError) return known;
  if (error instanceof UnauthorizedError) return new TerminalClosedError(closeCodes.token, error.message);
  if (error instanceof NotFoundError) return new TerminalClosedError(closeCodes.noContainer, 'Container not found');
  if (error instanceof UnavailableError) return new TerminalClosedError(closeCodes.tryAgainLater, error.message);
  if (error instanceof ShellConnectionLostError)
    return new TerminalClosedError(closeCodes.tryAgainLater, error.message);
  onUnexpected(error);
  return new TerminalClosedError(closeCodes.unexpected, 'Internal Server Error');
}

/**
 * Why a shell ended without an exit code. While its container runs, the reason is the lost connection, if any. Otherwise it is undefined:
 * a signal has ended the shell.
 */
export async function findReason(
  { containers, shell }: { containers: TerminalContainers; shell: ContainerShell },
  caller: Caller,
  containerId: number,
  lost?: ShellConnectionLostError,
): Promise<TerminalClosedError | undefined> {
  let wasStopped: TerminalClosedError | undefined;
  for (let tries = patience.tries; ; tries -= 1) {
    const reason = await look(containers, shell, caller, containerId);
    // It runs again: the reconciler has restarted it in the meantime.
    if (!reason) return wasStopped ?? (lost && connectionLost(lost));
    if (reason.cause instanceof ContainerNotRunningError) wasStopped = reason;
    // The engine's answers are inconsistent during a stop, and a stop may be the first part of a removal. The record decides in the end.
    const isUnsure = reason.code === closeCodes.tryAgainLater || reason.cause instanceof ContainerNotRunningError;
    if (!isUnsure || tries === 0) return reason;
    await delay(patience.pause, undefined, { ref: false });
  }
}

async function look(
  containers: TerminalContainers,
  shell: ContainerShell,
  caller: Caller,
  containerId: number,
): Promise<TerminalClosedError | undefined> {
  let isReplaced = false;
  try {
    const container = await containers.forTerminal(caller, containerId);
    isReplaced = container.is_replaced_when_lost ?? false;
    checkRunning(container);
    await using _connection = await shell.connect(container.ref, container.account);
    return undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return gone(error);
    if (isReplaced && error instanceof NoSuchContainerError) return beingReplaced(error);
    const known = asClosed(error);
    return known instanceof TerminalClosedError ? known : connectionLost(error);
  }
}
