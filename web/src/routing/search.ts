type Reader<Value> = (given: string) => Value | undefined;
/** As the address has them, or as a link does. */
type Given = Record<string, string | number | boolean | undefined>;
type Read<Readers extends Record<string, Reader<unknown>>> = {
  [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]>> | undefined;
};

/**
 * Reads the query string of a page's URL. It contains filters and page numbers, so that they survive a reload and the back button. Invalid
 * values are ignored.
 */
export const searchOf =
  <Readers extends Record<string, Reader<unknown>>>(readers: Readers) =>
  (given: Given): Read<Readers> => {
    const read: [string, unknown][] = [];
    for (const [name, reader] of Object.entries(readers)) {
      const value = reader(String(given[name] ?? ''));
      if (value !== undefined) read.push([name, value]);
    }
    return Object.fromEntries(read) as Read<Readers>;
  };

/**
 * Reads the query string of a page that has tabs, each with values of its own. The first tab has no name in the URL, and is the one of an
 * unknown name.
 */
export const tabsOf =
  <Tabs extends Record<string, Record<string, Reader<unknown>>>>(tabs: Tabs) =>
  (given: Given) => {
    const [first, ...others] = Object.keys(tabs);
    const tab = others.find((name) => name === given['tab']);
    const values = searchOf(tabs[tab ?? first ?? ''] ?? {})(given);
    return (tab === undefined ? values : { tab, ...values }) as {
      [Tab in keyof Tabs]: { tab?: Tab | undefined } & Read<Tabs[Tab]>;
    }[keyof Tabs];
  };

/** An id or a page number. */
export const asNumber: Reader<number> = (given) => {
  const number = /^[1-9]\d{0,9}$/.test(given) ? Number(given) : 0;
  return number > 0 && number < 2 ** 31 ? number : undefined;
};

export const asText: Reader<string> = (given) => given.slice(0, 200) || undefined;

/** The path and the query of another page. */
export const asAddress: Reader<string> = (given) => given || undefined;

export const asBoolean: Reader<boolean> = (given) =>
  given === 'true' || given === 'false' ? given === 'true' : undefined;

export const asOneOf =
  <const Word extends string>(...words: Word[]): Reader<Word> =>
  (given) =>
    words.find((word) => word === given);
