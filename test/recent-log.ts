import { afterEach } from 'node:test';

/** Lines kept for a test that fails. */
const mostLines = 40;

/** Receives the warnings and errors of all services of a test process. They are printed only when a test has failed. */
export const recentLog = {
  lines: [] as string[],
  write(line: string): void {
    this.lines.push(`${new Date().toISOString()} ${line}`);
    if (this.lines.length > mostLines) this.lines.shift();
  },
};

/** Prints them where a test fails. The cause of a rare failure is seldom in the answer alone. */
export function printLogOfFailures(): void {
  afterEach((context) => {
    if (!('passed' in context)) return;
    if (!context.passed && recentLog.lines.length > 0)
      process.stderr.write(`log of the services before "${context.fullName}" failed:\n${recentLog.lines.join('')}`);
    recentLog.lines = [];
  });
}
