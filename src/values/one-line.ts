/** A text that is read as one line: without line ends, wide spaces and what nobody sees, which lists and keyboards bring along. */
export const oneLine = (text: string): string => text.replaceAll('\u200B', '').replaceAll(/\s+/g, ' ').trim();
