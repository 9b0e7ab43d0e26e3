import { stripVTControlCharacters } from 'node:util';

/** The text that a terminal shows for an output. Control codes are removed. Characters that a line overwrites are left out. */
export const plainText = (output: string): string =>
  stripVTControlCharacters(output).split('\n').map(shownLine).join('\n');

const control = /\p{Cc}/u;

function shownLine(line: string): string {
  if (!control.test(line)) return line;
  const shown: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === '\r') column = 0;
    else if (character === '\b') column = Math.max(column - 1, 0);
    else if (character === '\t' || !control.test(character)) {
      shown[column] = character;
      column += 1;
    }
  }
  return shown.join('');
}
