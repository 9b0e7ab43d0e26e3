import { runCommandLine } from '../src/commands/command-line.ts';

/** The commands that are no part of the service. They share its command line. */
await runCommandLine(
  {
    convert: () => import('./conversion/command.ts'),
    demo: () => import('./demonstration/command.ts'),
    try: () => import('./trials/command.ts'),
  },
  '--help',
);
