import { deferModule } from '../deferred-module.ts';

/**
 * Defers parts of packages that the service does not use, to save time and memory at the start: dockerode's gRPC (builds with
 * BuildKit), engines over SSH, prom-client's OpenTelemetry (exemplars), lists of files that are served, and what only requests from IPv6
 * addresses need. A module that the service imports itself cannot be deferred: it would get the stand-in.
 */
export function deferUnusedModules(): void {
  deferModule('dockerode', './session');
  deferModule('docker-modem', './ssh');
  deferModule('prom-client', '@opentelemetry/api');
  deferModule('@fastify/static', 'glob', ['glob']);
  deferModule('@fastify/rate-limit', 'ip-address', ['Address6']);
}
