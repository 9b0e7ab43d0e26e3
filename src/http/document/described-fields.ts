import { fieldMeanings } from './field-meanings.ts';

type Schema = {
  description?: string;
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
};
type Parameter = { in?: string; name?: string; description?: string; schema?: Schema };
type Content = Record<string, { schema?: Schema }>;
type Operation = { parameters?: Parameter[]; requestBody?: { content?: Content }; responses?: Record<string, object> };
type Documented = { paths?: Record<string, object>; components?: { schemas?: Record<string, Schema> } };

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/**
 * Adds a description to each field and parameter of an API document that has none, from the meanings of names that are the same everywhere.
 * @param document with its schemas already named
 */
export function describeFields(document: Documented): void {
  const schemas = document.components?.schemas ?? {};
  const isDescribed = (schema: Schema): boolean => {
    if (schema.description !== undefined) return true;
    if (schema.$ref !== undefined) return schemas[schema.$ref.split('/').at(-1) ?? '']?.description !== undefined;
    const parts = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
    return parts.length > 0 && parts.every(isDescribed);
  };
  /** @param within names of the schema and of the field whose object it is, where they exist */
  const walk = (schema: Schema | undefined, ...within: string[]): void => {
    if (schema === undefined) return;
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const keys = [...within.map((place) => `${place}.${name}`), name];
      const key = keys.find((one) => one in fieldMeanings);
      if (key !== undefined && schema.properties && !isDescribed(field))
        schema.properties[name] = { ...field, description: fieldMeanings[key] ?? '' };
      walk(field, name, within.at(-1) ?? '');
    }
    for (const part of [schema.items, ...(schema.anyOf ?? [])]) walk(part, ...within);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, ...within);
  };
  for (const [name, schema] of Object.entries(schemas)) walk(schema, name);
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const { parameters = [], requestBody, responses = {} } of Object.values(operations) as Operation[]) {
      for (const parameter of parameters) {
        const { name = '', schema = {} } = parameter;
        if (parameter.description !== undefined || isDescribed(schema)) continue;
        const owner = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? '';
        const meaning = name === 'id' ? `The id of the ${singular(owner).replaceAll('-', ' ')}.` : fieldMeanings[name];
        if (meaning !== undefined) parameter.description = meaning;
      }
      for (const { content = {} } of [requestBody ?? {}, ...(Object.values(responses) as { content?: Content }[])])
        for (const { schema } of Object.values(content)) walk(schema);
    }
}
