type Reader<Value> = (given: unknown) => Value | undefined;
type Read<Readers extends Record<string, Reader<unknown>>> = {
  [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]>> | undefined;
};

/**
 * The query string of a page's URL, for `validateSearch`. It contains filters and page numbers, so that they survive a reload and the back
 * button. Invalid values are ignored.
 */
export const searchOf =
  <Readers extends Record<string, Reader<unknown>>>(readers: Readers) =>
  (given: Record<string, unknown>): Read<Readers> => {
    const read: [string, unknown][] = [];
    for (const [name, reader] of Object.entries(readers)) {
      const value = reader(given[name]);
      if (value !== undefined) read.push([name, value]);
    }
    return Object.fromEntries(read) as Read<Readers>;
  };

/** An id or a page number. */
export const asNumber: Reader<number> = (given) =>
  typeof given === 'number' && Number.isInteger(given) && given > 0 && given < 2 ** 31 ? given : undefined;

/** Text. The router parses digits as a number. */
export const asText: Reader<string> = (given) => {
  const text = typeof given === 'string' || typeof given === 'number' ? `${given}`.slice(0, 200) : '';
  return text === '' ? undefined : text;
};

export const asBoolean: Reader<boolean> = (given) => (typeof given === 'boolean' ? given : undefined);

export const asOneOf =
  <const Word extends string>(...words: Word[]): Reader<Word> =>
  (given) =>
    words.find((word) => word === given);
