/** A text with a selection, as a text area has it. */
export type Selected = { value: string; selectionStart: number; selectionEnd: number };
/** A part of a text that is replaced, and what is selected afterwards, counted from the start of the new part. */
export type Edit = { from: number; to: number; text: string; select: readonly [number, number] };

export type Callout = 'note' | 'tip' | 'important' | 'warning' | 'caution';

const chosen = ({ value, selectionStart, selectionEnd }: Selected): string => value.slice(selectionStart, selectionEnd);

/** The selection, extended to whole lines. */
function linesOf({ value, selectionStart, selectionEnd }: Selected) {
  const from = value.lastIndexOf('\n', selectionStart - 1) + 1;
  // A selection of whole lines ends before the next one.
  const last = selectionEnd > selectionStart && value[selectionEnd - 1] === '\n' ? selectionEnd - 1 : selectionEnd;
  const end = value.indexOf('\n', last);
  const to = end < 0 ? value.length : end;
  return { from, to, lines: value.slice(from, to) };
}

/** Makes the selected lines headings of a level, or plain text where they are that already. */
export function heading(area: Selected, level: 2 | 3): Edit {
  const { from, to, lines } = linesOf(area);
  const mark = `${'#'.repeat(level)} `;
  const isHeading = lines.split('\n').every((line) => line.startsWith(mark));
  const text = lines
    .split('\n')
    .map((line) => {
      const bare = line.replace(/^#{1,6} +/, '');
      return isHeading || (bare === '' && lines !== '') ? bare : `${mark}${bare}`;
    })
    .join('\n');
  return { from, to, text, select: [text.length, text.length] };
}

/** Puts marks around the selection, or takes them away. Without a selection the cursor stands between them. */
export function wrap(area: Selected, mark: string): Edit {
  const { selectionStart: from, selectionEnd: to, value } = area;
  const inner = chosen(area);
  const before = from - mark.length;
  if (before >= 0 && value.slice(before, from) === mark && value.slice(to, to + mark.length) === mark)
    return { from: before, to: to + mark.length, text: inner, select: [0, inner.length] };
  return { from, to, text: `${mark}${inner}${mark}`, select: [mark.length, mark.length + inner.length] };
}

/** Code within a line. Several lines become a block. */
export function code(area: Selected): Edit {
  return chosen(area).includes('\n') ? block(area, '') : wrap(area, '`');
}

/** A block of code. That of a shell has a button that runs it in the reader's terminal. */
export function block(area: Selected, language: string): Edit {
  const { from, to, lines } = linesOf(area);
  // A fence is longer than those within.
  const fence = '`'.repeat(Math.max(3, ...(lines.match(/`{3,}/g) ?? []).map(({ length }) => length + 1)));
  const start = fence.length + language.length + 1;
  return onOwnLines(area, from, to, `${fence}${language}\n${lines}\n${fence}`, [start, start + lines.length]);
}

/** A box that stands out, with the selected lines in it. */
export function callout(area: Selected, kind: Callout): Edit {
  const { from, to, lines } = linesOf(area);
  const text = `> [!${kind.toUpperCase()}]\n${lines
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')}`;
  return onOwnLines(area, from, to, text, [text.length, text.length]);
}

/** A link with the selected words, or else the title, as its text. @param path of the lesson, from the root of the files */
export function lessonLink(area: Selected, title: string, path: string): Edit {
  const { selectionStart: from, selectionEnd: to } = area;
  const words = chosen(area).trim() || title.replaceAll(/[[\]\\]/g, (sign) => `\\${sign}`);
  // Parentheses would end the address.
  const address = encodeURI(path).replaceAll(/[()?#]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const text = `[${words}](/${address})`;
  return { from, to, text, select: [text.length, text.length] };
}

/** Text in place of the selection. */
export const inserted = ({ selectionStart: from, selectionEnd: to }: Selected, text: string): Edit => ({
  ...{ from, to, text, select: [text.length, text.length] },
});

/** A part with an empty line before and after it. */
function onOwnLines({ value }: Selected, from: number, to: number, part: string, select: [number, number]): Edit {
  const head = from === 0 || value.slice(0, from).endsWith('\n\n') ? '' : '\n';
  const tail = /^\n?$|^\n\n/.test(value.slice(to)) ? '' : '\n';
  return { from, to, text: `${head}${part}${tail}`, select: [select[0] + head.length, select[1] + head.length] };
}

/**
 * Makes an edit as the browser's own input, so that its undo has it as one step. Programs' changes of `value` would empty the undo.
 */
export function makeEdit(area: HTMLTextAreaElement, { from, to, text, select }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  // There is no other way into the undo of a text area. Where a browser no longer has it, the text is changed without.
  const isMade = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (!isMade && area.value.slice(from, from + text.length) !== text) {
    area.setRangeText(text, from, to, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  area.setSelectionRange(from + select[0], from + select[1]);
}
