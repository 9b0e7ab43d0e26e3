/** Containers on Kubernetes. Needs a cluster (`KUBECONFIG`) that has the images, and for the references `kubectl`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { clusterSkip } from '../test/cluster.ts';

if (clusterSkip) {
  process.stderr.write(`kubernetes     skipped: ${clusterSkip}\n`);
  process.exit(0);
}
for (const name of ['kubernetes-service', 'kubernetes-engine']) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
