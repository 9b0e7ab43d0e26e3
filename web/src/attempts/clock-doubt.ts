/** Milliseconds by which the two clocks of the computer may differ between two looks. */
const tolerance = 1000;

/**
 * Reports when the computer's clock was set, or the computer slept: the page's time may have stood still. The service has to be asked.
 * @returns what ends the reports
 */
export function onClockDoubt(report: () => void): () => void {
  let difference = Date.now() - performance.now();
  const timer = setInterval(() => {
    const now = Date.now() - performance.now();
    if (Math.abs(now - difference) > tolerance) report();
    difference = now;
  }, tolerance);
  return () => clearInterval(timer);
}
