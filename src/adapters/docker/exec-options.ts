import { execCommand, homeOfRoot } from '../engine/gate.ts';

/** The engine's options for a script that runs as root in a container. It starts in `/`, which a student cannot replace. */
export const execOptions = (script: string) => ({
  Cmd: execCommand(script),
  Env: [`HOME=${homeOfRoot}`],
  User: '0:0',
  WorkingDir: '/',
});
