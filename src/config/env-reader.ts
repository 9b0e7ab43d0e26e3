import { isIPv4 } from 'node:net';

/** What a variable is for, and its default where that is no fixed value. Both are shown in docs/configuration.md. */
export type About = { about: string; usually?: string };

/** A setting as docs/configuration.md shows it. Texts are Markdown. */
export type Setting = { part: string; name: string; usually: string; takes: string; about: string };

/**
 * Reads values from an environment, with defaults and bounds. It collects all problems instead of stopping at the first, and the
 * settings that it was asked for.
 */
export class EnvReader {
  readonly problems: string[] = [];
  readonly settings: Setting[] = [];
  /** The heading of the settings that are read next. */
  part = '';
  readonly #variables: Readonly<Record<string, string | undefined>>;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = variables;
  }

  /** A variable that is no setting of this service, or one that is declared elsewhere. */
  given(name: string): string | undefined {
    const value = this.#variables[name]?.trim();
    return value ? value : undefined;
  }

  optional(name: string, about: About, takes = 'text'): string | undefined {
    this.#declare(name, about, takes, 'none');
    return this.given(name);
  }

  text(name: string, fallback: string, about: About): string {
    this.#declare(name, about, 'text', fallback === '' ? 'none' : `\`${fallback}\``);
    return this.given(name) ?? fallback;
  }

  /** Like `optional`, but white space is significant and the value never appears in a message. */
  secret(name: string, { minBytes = 1, ...about }: About & { minBytes?: number }): string | undefined {
    this.#declare(name, about, minBytes === 1 ? 'a secret' : `a secret of at least ${minBytes} bytes`, 'none');
    const value = this.#variables[name];
    if (!value) return undefined;
    if (Buffer.byteLength(value) < minBytes)
      this.problems.push(`${name} is too short: it takes at least ${minBytes} bytes`);
    return value;
  }

  integer(name: string, fallback: number, about: About & Bounds): number {
    return this.#number(name, fallback, about, /^-?\d+$/, 'a whole number');
  }

  decimal(name: string, fallback: number, about: About & Bounds): number {
    return this.#number(name, fallback, about, /^-?\d+(\.\d+)?$/, 'a number');
  }

  /** A whole number, or `auto`, which is undefined here. */
  integerOrAuto(name: string, about: About & Required<Bounds>): number | undefined {
    const value = this.#number(
      name,
      Number.NaN,
      { usually: '`auto`', ...about },
      /^(\d+|auto)$/i,
      'auto, or a whole number',
    );
    return Number.isNaN(value) ? undefined : value;
  }

  flag(name: string, fallback: boolean, about: About): boolean {
    this.#declare(name, about, '`true` or `false`', `\`${fallback}\``);
    const value = this.given(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (['true', '1', 'yes', 'on'].includes(value)) return true;
    if (!['false', '0', 'no', 'off'].includes(value)) this.problems.push(`${name} takes true or false`);
    return false;
  }

  oneOf<const T extends string>(name: string, fallback: T, choices: readonly T[], about: About): T {
    this.#declare(name, about, choices.map((choice) => `\`${choice}\``).join(', '), `\`${fallback}\``);
    const value = this.given(name);
    if (value === undefined) return fallback;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) this.problems.push(`${name} takes one of ${choices.join(', ')}`);
    return choice ?? fallback;
  }

  /** The address of an HTTP server: scheme, host and port only. */
  origin(name: string, about: About): string | undefined {
    const value = this.optional(name, about, 'an address of HTTP');
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    this.problems.push(`${name} takes scheme, host and port, such as http://10.0.0.5:8000`);
    return undefined;
  }

  /** A comma-separated list of origins (scheme, host and port only). Wildcards are refused. */
  origins(name: string, about: About): string[] {
    return this.words(name, about, 'origins').map((entry) => {
      const origin = URL.canParse(entry) ? new URL(entry).origin : 'null';
      if (entry.includes('*')) this.problems.push(`${name} never takes a wildcard`);
      else if (origin === 'null' || origin !== entry.replace(/\/$/, '').toLowerCase()) {
        this.problems.push(`${name} takes origins such as https://school.example.com`);
      }
      return origin;
    });
  }

  /** A comma-separated list of domain names, in lower case. */
  domains(name: string, about: About): string[] {
    const given = this.words(name, about, 'domains').map((entry) => entry.toLowerCase());
    if (!given.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)))
      this.problems.push(`${name} takes domains such as school.example.com`);
    return given;
  }

  /** A comma-separated list of IPv4 addresses, or of networks such as `203.0.113.0/24`. */
  addresses(
    name: string,
    fallback: readonly string[],
    { areNetworks, ...about }: About & { areNetworks: boolean },
  ): readonly string[] {
    const usually = fallback.length === 0 ? {} : { usually: `\`${fallback.join(',')}\`` };
    const entries = this.words(name, { ...usually, ...about }, areNetworks ? 'IPv4 networks' : 'IPv4 addresses');
    if (entries.length === 0) return fallback;
    for (const entry of entries) {
      const [address = '', bits, ...rest] = entry.split('/');
      const isSize = bits === undefined || (areNetworks && /^\d{1,2}$/.test(bits) && Number(bits) <= 32);
      if (!isIPv4(address) || !isSize || rest.length > 0) {
        this.problems.push(`${name} takes IPv4 ${areNetworks ? 'networks such as 203.0.113.0/24' : 'addresses'}`);
        return fallback;
      }
    }
    return entries;
  }

  /** A comma-separated list of words. */
  words(name: string, about: About, takes = 'names'): string[] {
    return (this.optional(name, about, `${takes}, separated by commas`) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  }

  /** A comma-separated list of `key=value`. */
  pairs(name: string, about: About): Record<string, string> {
    const entries = this.words(name, about, 'pairs `key=value`').map((entry) => /^([^=]+)=([^=]*)$/.exec(entry));
    if (entries.includes(null)) this.problems.push(`${name} takes pairs such as key=value,key=value`);
    return Object.fromEntries(entries.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : [])));
  }

  /** A comma-separated list of tolerations: `key`, `key=value`, each with or without `:Effect`. */
  tolerations(
    name: string,
    about: About,
  ): { key: string; operator: 'Exists' | 'Equal'; value?: string; effect?: string }[] {
    const form = /^([\w./-]+)(?:=([\w.-]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?$/;
    return this.words(name, about, 'tolerations').flatMap((entry) => {
      const [, key, value, effect] = form.exec(entry) ?? [];
      if (key === undefined) {
        this.problems.push(`${name} takes tolerations such as key=value:NoSchedule or key:NoExecute`);
        return [];
      }
      const rest = effect === undefined ? {} : { effect };
      return [
        value === undefined
          ? { key, operator: 'Exists' as const, ...rest }
          : { key, operator: 'Equal' as const, value, ...rest },
      ];
    });
  }

  #number(name: string, fallback: number, { min, max, ...about }: About & Bounds, form: RegExp, what: string): number {
    const range = [min === undefined ? '' : ` from ${min}`, max === undefined ? '' : ` to ${max}`].join('');
    this.#declare(name, about, `${what}${range}`, `\`${fallback}\``);
    const text = this.given(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (form.test(text) && !(min !== undefined && value < min) && !(max !== undefined && value > max)) return value;
    this.problems.push(`${name} takes ${what}${range}`);
    return fallback;
  }

  /** @param usual the default where `usually` does not say it */
  #declare(name: string, { about, usually }: About, takes: string, usual: string): void {
    this.settings.push({ part: this.part, name, usually: usually ?? usual, takes, about });
  }
}

type Bounds = { min?: number; max?: number };
