/** Points in texts, with the decimal comma or point of the language and at most two decimal places. */
export function decimalIn(language: string): (value: number) => string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2, useGrouping: false });
  return (value) => format.format(value);
}
