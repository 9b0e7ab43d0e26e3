import { type Static, Type } from 'typebox';

export const Name = Type.String({ minLength: 1, maxLength: 200 });
export const Description = Type.String({ maxLength: 100_000 });
export const OrderIndex = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });
export const Slug = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' });
export const Image = Type.String({ minLength: 1, maxLength: 500, pattern: '^[a-z0-9][A-Za-z0-9._/:@-]*$' });
/** For clients that ask often: browsers log each 404 as an error. */
export const isOptional = Type.Optional(
  Type.Boolean({ description: 'Whether there may be none. Then the answer is not 404, but `null`, or an empty list.' }),
);
export const Done = Type.Object({ detail: Type.String() }, { title: 'Done' });

/** The answer of a route that has nothing to return but that its work is done. */
export async function done(work: Promise<unknown>, detail: string): Promise<Static<typeof Done>> {
  await work;
  return { detail };
}
