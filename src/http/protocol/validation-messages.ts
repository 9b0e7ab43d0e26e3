import type { ErrorObject } from 'ajv';
import type { ValidationItem } from '../../errors.ts';
import { emailProblem } from '../../values/email-address.ts';
import { type UsernameProblem, usernameWords } from '../../values/username.ts';

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function list(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** The words that Pydantic parses as booleans, in lower case. */
export const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((word) => [word, true] as const),
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((word) => [word, false] as const),
]);

/** Whether a value is a string that is not a number. */
const isNoNumber = (value: unknown): boolean =>
  typeof value === 'string' && (value.trim() === '' || Number.isNaN(Number(value)));

/**
 * Pydantic 2's message for a value of the wrong type; a string that cannot be parsed is a parsing failure.
 * @param isText whether the value arrived as text, so that parsing was attempted
 */
function typeMismatch(expected: string, value: unknown, isText: boolean): [type: string, msg: string] {
  switch (expected) {
    case 'integer':
      if (isText || isNoNumber(value))
        return ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer'];
      return typeof value === 'number'
        ? ['int_from_float', 'Input should be a valid integer, got a number with a fractional part']
        : ['int_type', 'Input should be a valid integer'];
    case 'number':
      return isText || isNoNumber(value)
        ? ['float_parsing', 'Input should be a valid number, unable to parse string as a number']
        : ['float_type', 'Input should be a valid number'];
    case 'boolean':
      return isText || (typeof value === 'string' && !booleanWords.has(value.toLowerCase()))
        ? ['bool_parsing', 'Input should be a valid boolean, unable to interpret input']
        : ['bool_type', 'Input should be a valid boolean'];
    case 'array':
      return ['list_type', 'Input should be a valid list'];
    case 'object':
      return ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'];
    default:
      return ['string_type', 'Input should be a valid string'];
  }
}

type Params = {
  limit?: number;
  type?: string | string[];
  pattern?: string;
  format?: string;
  allowedValues?: readonly unknown[];
  problem?: UsernameProblem;
};

function words(error: ErrorObject & { data?: unknown }, isText: boolean): [type: string, msg: string] {
  const { limit = 0, type, pattern, format, allowedValues = [], problem = 'characters' } = error.params as Params;
  switch (error.keyword) {
    case 'required':
      return ['missing', 'Field required'];
    case 'type':
      return typeMismatch([type].flat().find((name) => name !== 'null') ?? 'string', error.data, isText);
    case 'minLength':
      return ['string_too_short', `String should have at least ${plural(limit, 'character')}`];
    case 'maxLength':
      return ['string_too_long', `String should have at most ${plural(limit, 'character')}`];
    case 'minimum':
      return ['greater_than_equal', `Input should be greater than or equal to ${limit}`];
    case 'maximum':
      return ['less_than_equal', `Input should be less than or equal to ${limit}`];
    case 'exclusiveMinimum':
      return ['greater_than', `Input should be greater than ${limit}`];
    case 'pattern':
      return ['string_pattern_mismatch', `String should match pattern '${pattern}'`];
    case 'x-username':
      return [...usernameWords[problem]];
    case 'enum':
      return ['enum', `Input should be ${list(allowedValues)}`];
    case 'minItems':
      return ['too_short', `List should have at least ${plural(limit, 'item')} after validation`];
    case 'maxItems':
      return ['too_long', `List should have at most ${plural(limit, 'item')} after validation`];
    case 'format':
      if (format === 'date') return ['value_error', 'Value error, the day is not one such as 2027-09-01'];
      if (format === 'date-time') return ['datetime_parsing', 'Input should be a valid datetime'];
      return format === 'bytes72'
        ? ['value_error', 'Value error, the password is longer than 72 bytes']
        : ['value_error', `Value error, this is not a valid ${String(format)}`];
    default:
      return ['value_error', 'Value error, the value is not valid'];
  }
}

/** Converts one of Ajv's errors to an item of a 422. */
export function describe(error: ErrorObject & { data?: unknown }, part: string, isText: boolean): ValidationItem {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const missing: string[] = error.keyword === 'required' ? [error.params['missingProperty'] as string] : [];
  const loc = [part, ...path, ...missing];
  if (error.keyword === 'format' && error.params['format'] === 'email') {
    return { loc, msg: `value is not a valid email address: ${emailProblem(error.data)}`, type: 'value_error' };
  }
  // Pydantic reports an absent body as a missing field, not as a wrong type.
  if (error.keyword === 'type' && loc.length === 1 && error.data == null)
    return { loc, msg: 'Field required', type: 'missing' };
  const [type, msg] = words(error, isText);
  return { loc, msg, type };
}
