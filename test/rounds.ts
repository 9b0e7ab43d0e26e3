/** How often something is tried: few times in `npm test`, the full count with `RELIABILITY_ROUNDS=full`. */
export const rounds = (few: number, full: number): number =>
  process.env['RELIABILITY_ROUNDS'] === 'full' ? full : few;
