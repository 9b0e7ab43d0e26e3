import { testContainerShell } from '../contracts/container-shell.ts';
import { engines } from '../engines.ts';

for (const engine of engines) testContainerShell(engine);
