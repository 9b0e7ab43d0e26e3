const clause = /^([ugoa]*)([-+=])([rwxXst]*)$/;
const bits = { r: 0o444, w: 0o222, x: 0o111 } as const;
const whose = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 } as const;

/**
 * The mode of a file as four octal digits, after a change as chmod(1) takes it: octal digits, or symbolic such as `u+x,go-w`.
 * @param usual its mode before the change, in octal digits
 * @returns undefined for what chmod would refuse
 */
export function fileMode(change: string, usual: string): string | undefined {
  if (/^[0-7]{3,4}$/.test(change)) return change.padStart(4, '0');
  let mode = Number.parseInt(usual, 8);
  for (const part of change.split(',')) {
    const [, who = '', sign, what = ''] = clause.exec(part) ?? [];
    if (sign === undefined) return undefined;
    let mask = 0;
    for (const letter of who || 'a') mask |= whose[letter as keyof typeof whose];
    let wanted = 0;
    for (const letter of what) {
      if (letter === 's') wanted |= 0o6000;
      else if (letter === 't') wanted |= 0o1000;
      else if (letter !== 'X') wanted |= bits[letter as keyof typeof bits];
      else if ((mode & 0o111) !== 0) wanted |= bits.x;
    }
    // As with the usual umask, a change for nobody in particular adds no right to write for others.
    if (who === '' && sign !== '-') wanted &= ~0o022;
    if (sign === '-') mode &= ~(wanted & mask);
    else mode = (sign === '=' ? mode & ~(mask & 0o777) : mode) | (wanted & mask);
  }
  return mode.toString(8).padStart(4, '0');
}
