import { join } from 'node:path';

/** What Node runs as the service and its commands, as the launcher does. */
export const serviceProgram: string = join(import.meta.dirname, '../src/main.ts');
/** The commands that are no part of the service. */
export const toolsProgram: string = join(import.meta.dirname, '../tools/main.ts');
