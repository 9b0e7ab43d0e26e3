import { runCommandLine } from './commands/command-line.ts';

/** The commands of an installation. Those that are no part of the service are in tools/main.ts. */
await runCommandLine(
  {
    start: () => import('./commands/start.ts'),
    migrate: () => import('./commands/migrate.ts'),
    'create-admin': () => import('./commands/create-admin.ts'),
    doctor: () => import('./commands/doctor.ts'),
    import: () => import('./commands/import.ts'),
    export: () => import('./commands/export.ts'),
    backup: () => import('./commands/backup.ts'),
    restore: () => import('./commands/restore.ts'),
    'verify-evidence': () => import('./commands/verify-evidence.ts'),
    'copy-files': () => import('./commands/copy-files.ts'),
  },
  'start',
);
