type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type Named = { paths?: object; components?: object };

/**
 * Moves each schema with a `title` to the components of an API document under that name, and replaces it by a reference. Readers
 * see each schema once, and generated code uses its name.
 * @throws Error if two different schemas have the same title
 */
export function nameSchemas<Document extends Named>(document: Document): Document {
  const named = new Map<string, string>();
  // Operations share many of their parts, such as the answers of refusals. Written out they are twenty megabytes.
  const known = new Map<object, Json>();
  const replace = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const replaced = Array.isArray(value) ? value.map(replace) : name(copy(value));
    known.set(value, replaced);
    return replaced;
  };
  /** Without what JSON has no form for. Properties under symbols, which are no part of a document, are left out as well. */
  const copy = (value: { [key: string]: Json }) => {
    const result: { [key: string]: Json } = {};
    for (const [key, part] of Object.entries(value)) if (part !== undefined) result[key] = replace(part);
    return result;
  };
  const name = (schema: { [key: string]: Json }): Json => {
    const { title } = schema;
    // In a schema `title` is a string. A property named `title` is a schema itself.
    if (typeof title !== 'string' || !('type' in schema)) return schema;
    const text = JSON.stringify(schema);
    const before = named.get(title);
    if (before !== undefined && before !== text) throw new Error(`Two schemas are called ${title}`);
    named.set(title, text);
    return { $ref: `#/components/schemas/${title}` };
  };
  const paths = replace((document.paths ?? {}) as Json);
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = Object.fromEntries(sorted.map(([title, text]) => [title, JSON.parse(text)]));
  return { ...document, paths, components: { ...document.components, schemas } };
}
