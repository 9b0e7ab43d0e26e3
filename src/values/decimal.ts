/** `digits` times ten to the power of `exponent`: a number as it was written, without a binary fraction. */
export type Decimal = { digits: bigint; exponent: number };

const written = /^([+-]?)(\d{1,40})?(?:[.,](\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads a number such as 12, -0.5, 0,5 or 1e3. Blanks around it do not count. @returns undefined for anything else */
export function decimalOf(text: string): Decimal | undefined {
  const match = written.exec(text.trim());
  const [, sign, whole = '', part = '', exponent = '0'] = match ?? [];
  if (!match || whole + part === '') return undefined;
  const digits = BigInt(whole + part);
  return { digits: sign === '-' ? -digits : digits, exponent: Number(exponent) - part.length };
}

/** Whether two numbers differ by at most a third. */
export function isWithin(one: Decimal, other: Decimal, difference: Decimal): boolean {
  const least = Math.min(one.exponent, other.exponent, difference.exponent);
  const scaled = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent - least);
  const apart = scaled(one) - scaled(other);
  return (apart < 0n ? -apart : apart) <= scaled(difference);
}
