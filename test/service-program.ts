import { join } from 'node:path';

/** What Node runs as the service and its commands: the bundle, which `npm start` runs as well. The tests' set-up has built it. */
export const serviceProgram: string =
  process.env['TEST_SERVICE_PROGRAM'] ?? join(import.meta.dirname, '../src/main.ts');
