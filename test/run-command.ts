import { execFile } from 'node:child_process';
import { serviceProgram, toolsProgram } from './service-program.ts';

/** Runs a command of the service in a separate process. @returns its exit status, and standard output and error together */
export const runCommand = (...args: string[]): Promise<Ended> => run(serviceProgram, args);

/** Runs a command of tools/ in the same way. */
export const runTool = (...args: string[]): Promise<Ended> => run(toolsProgram, args);

/** Milliseconds: far more than any command takes. What hangs is ended, and fails its test. */
const patience = 300_000;

type Ended = { code: number; output: string };

function run(program: string, args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: patience }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, output: stdout + stderr });
    });
  });
}
