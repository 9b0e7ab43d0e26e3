/** Seconds before the end at which clients are told of it. */
const noticeSeconds = [600, 300, 60];

/** The longest that a timer can be set for. */
const longest = 2_147_483_647;

/** Tells of a container's end some time before it, and at it (0 seconds). Disposing forgets it. */
export function timeNotices(expiresAt: Date | null, tell: (secondsLeft: number) => void): Disposable {
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - Date.now();
  const timers = [...noticeSeconds, 0]
    .map((seconds) => ({ seconds, delay: left - seconds * 1000 }))
    // The end itself may be past already; a notice that is past is not given late.
    .filter(({ seconds, delay }) => delay <= longest && (delay >= 0 || seconds === 0))
    .map(({ seconds, delay }) => setTimeout(() => tell(seconds), Math.max(0, delay)).unref());
  return { [Symbol.dispose]: () => timers.forEach((timer) => void clearTimeout(timer)) };
}
