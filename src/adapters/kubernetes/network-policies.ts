import { type Internet, privateNetworks } from '../engine/internet.ts';
import type { Cluster } from './cluster.ts';
import { statusOf } from './failures.ts';
import { podLabels } from './pod-manifest.ts';

/** Names are the installation's: several can share a namespace with other settings. */
const nameOf = (kind: 'closed' | 'internet', installation: string): string => `platform-${kind}-${installation}`;

/**
 * The NetworkPolicies of an installation's Pods: nothing reaches them, and those with internet reach public IPv4 addresses and the
 * resolvers only. The init container closes the network of each Pod as well, because not every cluster enforces policies.
 */
export function networkPolicies(installation: string, { dns, blocked }: Internet) {
  const labels = { [podLabels.installation]: installation };
  const base = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };
  const isPrivate = {
    ipBlock: { cidr: '0.0.0.0/0', except: [...new Set([...privateNetworks, ...blocked.map(asNetwork)])] },
  };
  return [
    {
      ...base,
      metadata: { name: nameOf('closed', installation), labels },
      spec: { podSelector: { matchLabels: labels }, policyTypes: ['Ingress', 'Egress'] },
    },
    {
      ...base,
      metadata: { name: nameOf('internet', installation), labels },
      spec: {
        podSelector: { matchLabels: { ...labels, [podLabels.internet]: 'true' } },
        policyTypes: ['Egress'],
        egress: [{ to: [isPrivate, ...dns.map((address) => ({ ipBlock: { cidr: `${address}/32` } }))] }],
      },
    },
  ];
}

const asNetwork = (address: string): string => (address.includes('/') ? address : `${address}/32`);

/** Creates the policies, or brings them up to the configuration. @throws ApiError */
export async function ensureNetworkPolicies(
  cluster: Cluster,
  installation: string,
  internet: Internet,
  signal: AbortSignal,
): Promise<void> {
  const path = `/apis/networking.k8s.io/v1/namespaces/${cluster.namespace}/networkpolicies`;
  await Promise.all(
    networkPolicies(installation, internet).map(async (policy) => {
      try {
        await cluster.request('POST', path, { body: policy, signal });
      } catch (error) {
        if (statusOf(error) !== 409) throw error;
        const contentType = 'application/merge-patch+json';
        await cluster.request('PATCH', `${path}/${policy.metadata.name}`, { body: policy, contentType, signal });
      }
    }),
  );
}
