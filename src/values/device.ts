/** Names of browsers and programs in a user agent, the more special ones first: many call themselves Chrome and Safari as well. */
const programs: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const maxLength = 60;
/** Of a header that is read. */
const maxRead = 500;

/** A device as its user knows it, such as `Firefox, Linux`. Of what is no browser, the name of the program. Empty: it did not say. */
export function deviceOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, maxRead);
  const nameIn = (names: typeof programs) => names.find(([pattern]) => pattern.test(text))?.[1];
  const [program, system] = [nameIn(programs), nameIn(systems)];
  if (program !== undefined) return system === undefined ? program : `${program}, ${system}`;
  return (/^[\w.-]+/.exec(text)?.[0] ?? '').slice(0, maxLength);
}
