type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type Named = { paths?: object; components?: object };

/**
 * Moves each schema with a `title` to the components of an API document under that name, and replaces it by a reference. Readers
 * see each schema once, and generated code uses its name.
 * @throws Error if two different schemas have the same title
 */
export function nameSchemas<Document extends Named>(document: Document): Document {
  const named = new Map<string, string>();
  const replace = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(replace);
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]));
    const { title } = copy;
    // In a schema `title` is a string. A property named `title` is a schema itself.
    if (typeof title !== 'string' || !('type' in copy)) return copy;
    const text = JSON.stringify(copy);
    const before = named.get(title);
    if (before !== undefined && before !== text) throw new Error(`Two schemas are called ${title}`);
    named.set(title, text);
    return { $ref: `#/components/schemas/${title}` };
  };
  // Converted through JSON, which drops properties of route schemas that are not part of a document.
  const paths = replace(JSON.parse(JSON.stringify(document.paths ?? {})));
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = Object.fromEntries(sorted.map(([title, text]) => [title, JSON.parse(text)]));
  return { ...document, paths, components: { ...document.components, schemas } };
}
