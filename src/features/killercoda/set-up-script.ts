/** A script that prepares the machine on Killercoda. */
export type SetUp = {
  /** Its file in the scenario. */
  path: string;
  script: string;
  /** Where the scenario names it. */
  place: readonly (string | number)[];
};

/**
 * Makes one set-up of ours of the set-up scripts of Killercoda, in their order. As there, their exit status does not matter. Each runs in
 * a subshell, so that it ends only itself. `set -e` has no effect in a subshell with `||` after it.
 */
export const setUpScript = (setUps: readonly Pick<SetUp, 'path' | 'script'>[]): string =>
  `#!/usr/bin/env bash
# From set-up scripts that were written for Killercoda, where their exit status does not matter.
${setUps.map(({ path, script }) => `# ${path}\n(\n${script.replace(/\n*$/, '')}\n)\n`).join('')}true
`;
