type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type Named = { paths?: object; components?: object };

/**
 * Puts each schema that has a `title` by that name among the components of an API document, and a reference where it stood: a reader
 * meets it once, and what is generated from the document gets its name.
 * @throws Error where two schemas that differ have the same title
 */
export function nameSchemas<Document extends Named>(document: Document): Document {
  const named = new Map<string, string>();
  const replace = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(replace);
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]));
    const { title } = copy;
    // Of a schema it is text; the schema of a property by that name is none.
    if (typeof title !== 'string' || !('type' in copy)) return copy;
    const text = JSON.stringify(copy);
    const before = named.get(title);
    if (before !== undefined && before !== text) throw new Error(`Two schemas are called ${title}`);
    named.set(title, text);
    return { $ref: `#/components/schemas/${title}` };
  };
  // Through JSON: what else hangs on the schemas of routes is no part of a document.
  const paths = replace(JSON.parse(JSON.stringify(document.paths ?? {})));
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = Object.fromEntries(sorted.map(([title, text]) => [title, JSON.parse(text)]));
  return { ...document, paths, components: { ...document.components, schemas } };
}
