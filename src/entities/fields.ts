import { type TOptional, type TProperties, Type } from 'typebox';

/** Makes properties optional. */
export function optional<Properties extends TProperties, Name extends keyof Properties>(
  properties: Properties,
  names: readonly Name[],
): { [Key in keyof Properties]: Key extends Name ? TOptional<Properties[Key]> : Properties[Key] } {
  const changed = names.map((name) => [name, Type.Optional(properties[name] ?? Type.Unknown())]);
  return { ...properties, ...Object.fromEntries(changed) };
}

/** Gives properties the defaults that an absent one has. */
export function withDefaults<Properties extends TProperties>(
  properties: Properties,
  defaults: Readonly<Record<string, unknown>>,
): Properties {
  const changed = Object.entries(properties).map(([name, schema]) =>
    name in defaults ? [name, { ...schema, default: defaults[name] }] : [name, schema],
  );
  return Object.fromEntries(changed) as Properties;
}

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'x-id'];

/** The properties of an answer: it promises the types of what is stored, not the bounds of what may be sent. */
export function answered<Properties extends TProperties>(properties: Properties): Properties {
  const unbounded = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unbounded);
    if (typeof value !== 'object' || value === null) return value;
    // A TypeBox schema has its kind in properties that are not enumerable.
    const kept = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(value)) as Record<string, unknown>;
    for (const name of bounds) delete kept[name];
    if (kept['anyOf']) kept['anyOf'] = unbounded(kept['anyOf']);
    return kept;
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, unbounded(schema)]),
  ) as Properties;
}

/** Some of the fields of a row. */
export function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]])) as Pick<Row, Name>;
}

/** A row without some of its fields. */
export function omit<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Omit<Row, Name> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name as Name))) as Omit<Row, Name>;
}
