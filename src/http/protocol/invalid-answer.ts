import type { InvalidError, ValidationItem } from '../../errors.ts';

/** Bytes of `Error-Items`. Proxies take 4 KiB of headers as a rule, and the other headers of an answer have about half of it. */
const maxItemsBytes = 1500;

/** An item whose problem has a code of its own: its index in `detail`, the code, and the values in its text. */
type CodedItem = { index: number } & Pick<ValidationItem, 'code' | 'params'>;

/**
 * The body of a 422 has what clients of FastAPI expect and nothing else. The rest is in headers: `Error-Items` has the codes of as many
 * items as it has room for, and `Error-Total` the number of problems where the items are only the first.
 */
export function invalidAnswer({ items, total }: InvalidError): {
  detail: Pick<ValidationItem, 'loc' | 'msg' | 'type'>[];
  headers: Record<string, string>;
} {
  const coded = codedItems(items);
  return {
    detail: items.map(({ loc, msg, type }) => ({ loc, msg, type })),
    headers: {
      'Error-Code': 'validation',
      ...(coded !== '[]' && { 'Error-Items': coded }),
      ...(total !== undefined && { 'Error-Total': String(total) }),
    },
  };
}

/** A JSON array in ASCII, because other characters of a header arrive as they were decoded by each proxy on the way. */
function codedItems(items: readonly ValidationItem[]): string {
  const parts: string[] = [];
  let length = 2;
  for (const [index, { code, params }] of items.entries()) {
    if (code === undefined) continue;
    const item: CodedItem = { index, code, ...(params !== undefined && { params }) };
    const part = JSON.stringify(item).replaceAll(/[\u007f-\uffff]/g, escaped);
    length += part.length + 1;
    if (length > maxItemsBytes) break;
    parts.push(part);
  }
  return `[${parts.join(',')}]`;
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
