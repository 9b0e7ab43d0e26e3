import type { StudentAccount } from '../../database/tables.ts';
import { homeOf } from './home.ts';

/** The scripts behind the first two of these names run before those behind the others. Katacoda's names are the second of each two. */
export const setUpKeys = ['background', 'courseData', 'foreground', 'code'];

/** A script that prepares the machine on Killercoda. */
export type SetUp = {
  /** Its file in the scenario. */
  path: string;
  script: string;
  /** Where the scenario names it. */
  place: readonly (string | number)[];
};

/** Seconds for all scripts. The limit of a set-up is 60 by default. */
const seconds = 40;

/**
 * Makes one set-up of ours of the set-up scripts of Killercoda, in their order. As there, they begin in the home folder of the user, who
 * owns what they leave there, their exit status does not matter, and one that takes long continues while the student works. Each runs in a
 * subshell, so that it ends only itself. `set -e` has no effect in a subshell with `||` after it.
 */
export const setUpScript = (
  setUps: readonly Pick<SetUp, 'path' | 'script'>[],
  user: StudentAccount,
  home = homeOf(user),
): string =>
  `#!/usr/bin/env bash
# From set-up scripts that were written for Killercoda, where their exit status does not matter.
export HOME=${home}
cd "$HOME" || exit
# Waits for a script, but not for ever: it continues by itself then.
await() { while kill -0 "$1" 2>/dev/null && [ "$SECONDS" -lt ${seconds} ]; do sleep 0.1; done; }
${setUps.map(({ path, script }) => `# ${path}\n(\n${script.replace(/\n*$/, '')}\n) &\nawait $!\n`).join('')}${user === 'root' ? '' : `chown -Rh --reference=${home} ${home}\n`}true
`;
