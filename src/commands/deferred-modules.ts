import { deferModule } from '../deferred-module.ts';

/**
 * Parts of packages that the service does not use: dockerode's gRPC (builds with BuildKit), engines over SSH, prom-client's OpenTelemetry
 * (exemplars) and lists of files that are served. A module that the service imports itself cannot be among them: it would get the stand-in.
 */
export const deferredModules: { packageName: string; id: string; functions?: string[] }[] = [
  { packageName: 'dockerode', id: './session' },
  { packageName: 'docker-modem', id: './ssh' },
  { packageName: 'prom-client', id: '@opentelemetry/api' },
  { packageName: '@fastify/static', id: 'glob', functions: ['glob'] },
];

/** Saves time and memory at the start. */
export function deferUnusedModules(): void {
  for (const { packageName, id, functions } of deferredModules) deferModule(packageName, id, functions);
}
