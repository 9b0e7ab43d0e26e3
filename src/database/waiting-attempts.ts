import { sql } from 'kysely';

/** Seconds since the last request of its owner after which a queued attempt lets others pass. It keeps its place. */
export const presenceSeconds = 90;

/** Whether the owner of a queued attempt still asks for it. Browsers let a page in the background ask once a minute. */
export const isPresent = sql<boolean>`attempts.asked_at > now() - make_interval(secs => ${sql.lit(presenceSeconds)})`;

/** The attempts that wait for a container. One with a process is being started. */
export const isWaiting = sql<boolean>`attempts.status = 'queued' and attempts.process_id is null and ${isPresent}`;
