/** The longest wait that another service can ask for, in seconds. */
const maxSeconds = 24 * 3600;

/** Of a header `Retry-After`, which has seconds or a date (RFC 9110, 10.2.3). @returns seconds, at most a day; 0 without it */
export function retryAfterSeconds(header: string | null): number {
  if (header === null) return 0;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(maxSeconds, Math.max(0, seconds)) : 0;
}
