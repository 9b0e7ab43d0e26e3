import { execFile } from 'node:child_process';
import { serviceProgram, toolsProgram } from './service-program.ts';

/** Runs a command of the service in a separate process. @returns its exit status, and standard output and error together */
export const runCommand = (...args: string[]): Promise<Ended> => run(serviceProgram, args);

/** Runs a command of tools/ in the same way. */
export const runTool = (...args: string[]): Promise<Ended> => run(toolsProgram, args);

type Ended = { code: number; output: string };

function run(program: string, args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, output: stdout + stderr });
    });
  });
}
