import { execFile } from 'node:child_process';
import { serviceProgram } from './service-program.ts';

/** Runs a command of the service in a separate process. @returns its exit status, and standard output and error together */
export function runCommand(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [serviceProgram, ...args], (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, output: stdout + stderr });
    });
  });
}
