import type { Logger } from 'pino';
import type { EnginePlace } from '../adapters/docker/connect-engine.ts';
import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../database/connection/connect.ts';
import type { LessonSource } from '../features/lessons/lesson-source.ts';
import type { TerminalScreens } from '../features/terminal/terminal-screens.ts';
import type { ContainerEngine } from '../ports/container-engine.ts';

/** The surroundings of the service. Tests override parts to make failures happen. */
export type Overrides = {
  database: DatabaseAddress;
  engine: EnginePlace;
  log?: Logger;
  containerEngine?: ContainerEngine;
  lessonSource?: LessonSource & AsyncDisposable;
  screens?: TerminalScreens & AsyncDisposable;
};

/** What each part of the composition is given. */
export type Surroundings = {
  config: Config;
  overrides: Overrides;
  log: Logger;
  /** Disposes of what the parts construct, in the opposite order. */
  cleanup: AsyncDisposableStack;
};
