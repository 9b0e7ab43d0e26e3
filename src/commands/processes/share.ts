import type { Config } from '../../config.ts';

/**
 * The configuration of one of several processes. Limits of the installation that no process can see as a whole are divided, rounded
 * up, so that together they allow at least what is configured. Limits that are counted in the database or between processes stay whole:
 * containers, attempts, terminals, failed logins, requests per minute.
 */
export function shareOf(config: Config, processes: number): Config {
  const part = (whole: number, least = 1): number => Math.max(least, Math.ceil(whole / processes));
  const { database, bodies, passwords, avatars, containers, grading, trials, terminal, screens } = config;
  return {
    ...config,
    maxConnections: part(config.maxConnections),
    maxConnectionsPerAddress: part(config.maxConnectionsPerAddress),
    bodies: { perClient: part(bodies.perClient), all: part(bodies.all) },
    database: { ...database, maxConnections: part(database.maxConnections, leastConnections) },
    // A class may reach one process.
    passwords: { ...passwords, concurrency: part(passwords.concurrency) },
    avatars: { ...avatars, concurrency: part(avatars.concurrency), maxWaiting: part(avatars.maxWaiting) },
    containers: {
      ...containers,
      starts: {
        ...containers.starts,
        concurrency: part(containers.starts.concurrency),
        maxWaiting: part(containers.starts.maxWaiting, 0),
      },
    },
    grading: {
      ...grading,
      concurrency: part(grading.concurrency),
      maxWaiting: part(grading.maxWaiting, 0),
      slow: { ...grading.slow, max: part(grading.slow.max, 0) },
    },
    trials: { ...trials, concurrency: part(trials.concurrency), maxWaiting: part(trials.maxWaiting, 0) },
    terminal: { ...terminal, floodBytesPerSecond: part(terminal.floodBytesPerSecond) },
    screens: { ...screens, workers: part(screens.workers) },
  };
}

/** Fewer would let the work that holds a connection while it needs another wait for itself. */
const leastConnections = 4;
/** Connections of a process outside its pool: for the change feed, and for the sign that it lives. */
const ownConnections = 2;
/** Connections of the primary, of commands that run at the same time, and those that PostgreSQL reserves. */
const otherConnections = 20;

/** The connections that PostgreSQL must allow for all processes. */
export function connectionsOf(config: Config): number {
  const { processes } = config;
  return processes * (shareOf(config, processes).database.maxConnections + ownConnections) + otherConnections;
}
