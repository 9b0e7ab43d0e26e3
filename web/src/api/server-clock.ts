/**
 * The server's clock, as derived from its answers. Their `Date` has whole seconds, so it is accurate within a second. Countdowns use it
 * because the server's own clock decides about deadlines, and a student's computer can be minutes off.
 */
let ahead = 0;
let isKnown = false;

/** Updates the clock from an answer that took `tripMs` milliseconds. */
export function learnTime(response: Response, tripMs: number): void {
  const date = Date.parse(response.headers.get('Date') ?? '');
  // A slow answer is not accurate enough.
  if (Number.isNaN(date) || (isKnown && tripMs > 2000)) return;
  // The second may just have begun or be nearly over.
  const measured = date + 500 + tripMs / 2 - Date.now();
  ahead = isKnown && Math.abs(measured - ahead) < 1500 ? ahead + (measured - ahead) / 8 : measured;
  isKnown = true;
}

/** Milliseconds since 1970 by the server's clock. */
export const serverNow = (): number => Date.now() + ahead;
