import type { Cluster } from './cluster.ts';
import { statusOf } from './failures.ts';

/** What the service does in its namespace. A Role needs these and no others. */
export const rights: readonly { group: string; resource: string; verbs: readonly string[] }[] = [
  { group: '', resource: 'pods', verbs: ['create', 'get', 'list', 'watch', 'patch', 'delete'] },
  // A WebSocket begins with GET. Newer clusters ask for `create` as well.
  { group: '', resource: 'pods/exec', verbs: ['get', 'create'] },
  { group: '', resource: 'configmaps', verbs: ['create', 'get', 'list', 'patch', 'delete'] },
  // The credentials of added images. Not `patch`: its answer has the values.
  { group: '', resource: 'secrets', verbs: ['create', 'delete'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['create', 'patch'] },
];

export type ClusterFacts = {
  /** Such as `Kubernetes v1.30.2 at https://10.0.0.1:6443, namespace school`. */
  description: string;
  /** What the service lacks, such as `the right to create, delete pods`. */
  missing: string[];
};

/** What a cluster is, and which rights the service lacks in it. @throws ApiError, the error of the connection */
export async function clusterFacts(cluster: Cluster): Promise<ClusterFacts> {
  const signal = AbortSignal.timeout(10_000);
  const { gitVersion } = await cluster.request<{ gitVersion: string }>('GET', '/version', { signal });
  const missing = await Promise.all(
    rights.map(async ({ group, resource, verbs }) => {
      const allowed = await Promise.all(verbs.map((verb) => isAllowed(cluster, { group, resource, verb }, signal)));
      const lacking = verbs.filter((_verb, index) => !allowed[index]);
      return lacking.length === 0 ? [] : [`the right to ${lacking.join(', ')} ${resource}`];
    }),
  );
  return {
    description: `Kubernetes ${gitVersion} at ${cluster.server}, namespace ${cluster.namespace}`,
    missing: [...(await missingNamespace(cluster, signal)), ...missing.flat()],
  };
}

/** An account that may not read its namespace is not told. */
async function missingNamespace(cluster: Cluster, signal: AbortSignal): Promise<string[]> {
  try {
    await cluster.request('GET', `/api/v1/namespaces/${cluster.namespace}`, { signal });
    return [];
  } catch (error) {
    if (statusOf(error) === 403) return [];
    if (statusOf(error) === 404) return [`the namespace ${cluster.namespace}`];
    throw error;
  }
}

async function isAllowed(
  cluster: Cluster,
  { group, resource: path, verb }: { group: string; resource: string; verb: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { namespace } = cluster;
  const [resource, subresource] = path.split('/');
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { namespace, group, resource, verb, ...(subresource ? { subresource } : {}) } },
  };
  const review = await cluster.request<{ status: { allowed: boolean } }>(
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    { body, signal },
  );
  return review.status.allowed;
}
