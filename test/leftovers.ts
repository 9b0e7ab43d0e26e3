/**
 * Loaded into the process of each test file. It prints the log of the services where a test fails. If the process stays alive after its
 * tests, this prints the cause, and later ends the process as failed: a run does not wait for a forgotten child process forever.
 */
import { after } from 'node:test';
import { printLogOfFailures } from './recent-log.ts';

/** Milliseconds until the report, and until the end. */
const patience = 5000;
const lastPatience = Number(process.env['TEST_LEFTOVERS_MS'] ?? 60_000);

// Not in the process of the test runner.
if (process.env['NODE_TEST_CONTEXT']) {
  printLogOfFailures();
  after(() => {
    const report = () => {
      const what = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(`${process.argv[1]} has run its tests, and is kept alive by: ${what}\n`);
    };
    setTimeout(report, Math.min(patience, lastPatience)).unref();
    setTimeout(() => process.exit(1), lastPatience + 1).unref();
  });
}
