import { deferModule } from '../deferred-module.ts';

/**
 * Defers parts of packages that the service does not use, to save time and memory at the start: dockerode's gRPC (builds with
 * BuildKit), engines over SSH, and prom-client's OpenTelemetry (exemplars).
 */
export function deferUnusedModules(): void {
  deferModule('dockerode', './session');
  deferModule('docker-modem', './ssh');
  deferModule('prom-client', '@opentelemetry/api');
}
