import { InvalidError } from '../../errors.ts';

/** Values of a JSON body: twice those of the longest list that a route takes. */
const maxBodyValues = 20_000;
/** Arrays and objects within each other in a JSON body. */
const maxBodyDepth = 32;
/** Parameters of a query string, or fields of a form. */
const maxParameters = 200;

const tooMany = (part: string): InvalidError =>
  new InvalidError([{ loc: [part], msg: 'Value error, there are too many values', type: 'value_error' }]);
const tooDeep = (): InvalidError =>
  new InvalidError([{ loc: ['body'], msg: 'Value error, the value is nested too deeply', type: 'value_error' }]);

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses a JSON text with too many or too deeply nested values, before it is parsed: a megabyte of them would occupy the process for
 * longer than all other requests. The time is that of one pass over the text.
 */
export function jsonProblem(text: string): InvalidError | undefined {
  let values = 1;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === comma) {
      values += 1;
      if (values > maxBodyValues) return tooMany('body');
    } else if (code === openArray || code === openObject) {
      values += 1;
      depth += 1;
      if (depth > maxBodyDepth) return tooDeep();
    } else if (code === closeArray || code === closeObject) {
      depth -= 1;
    }
  }
  return undefined;
}

/** The place of the closing quote; that of the end of the text without one. */
function endOfString(text: string, start: number): number {
  // Most texts have no quote within: the search of the engine is ten times as fast as a loop.
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== backslash) return end;
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index += 1;
  }
  return text.length;
}

/** The same for a query string or a form, where each parameter is a value. */
export function parametersProblem(text: string, part: 'query' | 'body'): InvalidError | undefined {
  let parameters = 1;
  for (let index = text.indexOf('&'); index !== -1; index = text.indexOf('&', index + 1)) {
    parameters += 1;
    if (parameters > maxParameters) return tooMany(part);
  }
  return undefined;
}
