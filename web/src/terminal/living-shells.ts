import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

export type LivingShell = Answer<'/api/containers/{id}/terminals'>[number];

/** The open shells of a container, oldest first, wherever they were opened. None where they cannot be read: then a new one is opened. */
export async function livingShells(id: number): Promise<LivingShell[]> {
  return await ok(api.GET('/api/containers/{id}/terminals', { params: { path: { id } } })).catch(() => []);
}
