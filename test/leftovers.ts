/** Loaded into the process of each test file. If the process stays alive after its tests, this prints the cause. */
import { after } from 'node:test';

const patience = 5000;

// Not in the process of the test runner.
if (process.env['NODE_TEST_CONTEXT']) {
  after(() => {
    const tell = () => {
      const what = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(`${process.argv[1]} is over, and kept by: ${what}\n`);
    };
    setTimeout(tell, patience).unref();
  });
}
