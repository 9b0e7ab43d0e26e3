import { testContainerEngine } from '../contracts/container-engine.ts';
import { engines } from '../engines.ts';

for (const engine of engines) testContainerEngine(engine);
