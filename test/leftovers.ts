/** Loaded into the process of each test file: where that stays alive after its tests, it says what keeps it. */
import { after } from 'node:test';

const patience = 5000;

// Not in the process that runs the others.
if (process.env['NODE_TEST_CONTEXT']) {
  after(() => {
    const tell = () => {
      const what = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(`${process.argv[1]} is over, and kept by: ${what}\n`);
    };
    setTimeout(tell, patience).unref();
  });
}
