import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import type { Container } from '../sandboxes/queries.ts';

const millisecondsBetweenLooks = 500;
const maxLooks = 120;

export type Wanted = {
  /** The template of the lesson. Null: any sandbox will do. */
  templateId: number | null;
  /** The sandbox that the user has chosen, or that was shown before. */
  id: number | undefined;
  /** Whether a sandbox may be started or created. */
  isAgreed: boolean;
  /** The sandbox that is deleted first, to make room for another one. */
  removeId?: number | undefined;
};

/**
 * The chosen sandbox, or one of the template: a running one, otherwise one that is started, otherwise a new one.
 * @returns null where one would have to be started or created, but may not be, where another one has to be deleted first, and where the
 * chosen one is gone
 * @throws Problem
 */
export async function prepareSandbox({ templateId, id, isAgreed, removeId }: Wanted): Promise<Container | null> {
  if (removeId !== undefined) await ok(api.DELETE('/api/containers/{id}', { params: { path: { id: removeId } } }));
  const all = await ok(api.GET('/api/containers/sandbox'));
  const chosen = all.filter((sandbox) => sandbox.id === id);
  const fitting = chosen.length > 0 ? chosen : all.filter((sandbox) => fits(sandbox, templateId));
  const withStatus = (status: Container['status']) => fitting.find((sandbox) => sandbox.status === status);
  const running = withStatus('running');
  if (running) return running;
  const creating = withStatus('creating');
  if (creating) return await untilMade(creating);
  if (!isAgreed) return null;
  const stopped = fitting.find(canStart);
  if (stopped) return await ok(api.POST('/api/containers/{id}/start', { params: { path: { id: stopped.id } } }));
  if (id !== undefined) return null;
  const body = templateId === null ? {} : { template_id: templateId };
  try {
    return await untilMade(await ok(api.POST('/api/containers/create', { body })));
  } catch (error) {
    if (isRefusal(error, 'too_many_sandboxes')) return null;
    throw error;
  }
}

/** Whether a sandbox is one that a lesson with this template needs. */
export const fits = ({ template_id }: Container, templateId: number | null): boolean =>
  templateId === null || template_id === templateId;

export const canStart = ({ status, stop_reason }: Container): boolean => status === 'stopped' && stop_reason !== 'disk';

/** Sandboxes that a terminal can be opened in. */
export const isUsable = (sandbox: Container): boolean => sandbox.status === 'running' || canStart(sandbox);

async function untilMade(container: Container): Promise<Container> {
  let latest = container;
  for (let looks = 0; latest.status === 'creating' && looks < maxLooks; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, millisecondsBetweenLooks));
    latest = await ok(api.GET('/api/containers/{id}', { params: { path: { id: container.id } } }));
  }
  return latest;
}
