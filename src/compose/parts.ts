import type { Logger } from 'pino';
import type { TerminalScreens } from '../../packages/screens/terminal-screens.ts';
import type { EnginePlace } from '../adapters/docker/connect-engine.ts';
import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../database/connection/connect.ts';
import type { LessonSource } from '../features/lesson-repositories/lesson-source.ts';
import type { Opponent } from '../features/trials/opponent-program.ts';
import type { ContainerEngine } from '../ports/container-engine.ts';
import type { ObjectStore } from '../ports/object-store.ts';

/** The surroundings of the service. Tests override parts to cause failures. */
export type Overrides = {
  database: DatabaseAddress;
  engine: EnginePlace;
  log?: Logger;
  containerEngine?: ContainerEngine;
  lessonSource?: LessonSource & AsyncDisposable;
  screens?: TerminalScreens & AsyncDisposable;
  /** Those that play against the checks of a trial; all by default. */
  opponents?: readonly Opponent[];
  /** The place of this process among several that share an address. Undefined: it is the only one. */
  siblings?: Siblings;
};

export type Siblings = {
  /** From 1. Periodic work on what all share, such as the data folder, is done by the first. */
  number: number;
  /** The host at which other processes reach this one, see `listenForRelays`. */
  relayHost: string;
  /** The metrics of all processes at the address. */
  allMetrics: () => Promise<object[]>;
};

/** The input of each part of the composition. */
export type Surroundings = {
  config: Config;
  overrides: Overrides;
  log: Logger;
  /** Files that all processes of the service share. */
  objects: ObjectStore;
  /** Disposes of what the parts construct, in reverse order. */
  cleanup: AsyncDisposableStack;
};
