import { isIPv4 } from 'node:net';

/** Reads values from an environment, with defaults and bounds. It collects all problems instead of stopping at the first. */
export class EnvReader {
  readonly problems: string[] = [];
  readonly #variables: Readonly<Record<string, string | undefined>>;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = variables;
  }

  optional(name: string): string | undefined {
    const value = this.#variables[name]?.trim();
    return value ? value : undefined;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  /** Like `optional`, but white space is significant and the value never appears in a message. */
  secret(name: string, { minBytes = 1 }: { minBytes?: number }): string | undefined {
    const value = this.#variables[name];
    if (!value) return undefined;
    if (Buffer.byteLength(value) < minBytes)
      this.problems.push(`${name} is too short: it takes at least ${minBytes} bytes`);
    return value;
  }

  integer(name: string, fallback: number, bounds: { min?: number; max?: number } = {}): number {
    return this.#number(name, fallback, bounds, /^-?\d+$/, 'a whole number');
  }

  decimal(name: string, fallback: number, bounds: { min?: number; max?: number } = {}): number {
    return this.#number(name, fallback, bounds, /^-?\d+(\.\d+)?$/, 'a number');
  }

  /** A whole number, or `auto`, which is undefined here. */
  integerOrAuto(name: string, bounds: { min: number; max: number }): number | undefined {
    const text = this.optional(name);
    if (text === undefined || text.toLowerCase() === 'auto') return undefined;
    return this.#number(name, bounds.min, bounds, /^\d+$/, 'auto, or a whole number');
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.optional(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (['true', '1', 'yes', 'on'].includes(value)) return true;
    if (!['false', '0', 'no', 'off'].includes(value)) this.problems.push(`${name} takes true or false`);
    return false;
  }

  oneOf<const T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    const value = this.optional(name);
    if (value === undefined) return fallback;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) this.problems.push(`${name} takes one of ${choices.join(', ')}`);
    return choice ?? fallback;
  }

  /** The address of an HTTP server: scheme, host and port only. */
  origin(name: string): string | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    this.problems.push(`${name} takes scheme, host and port, such as http://10.0.0.5:8000`);
    return undefined;
  }

  /** A comma-separated list of origins (scheme, host and port only). Wildcards are refused. */
  origins(name: string): string[] {
    const entries = (this.optional(name) ?? '').split(',').map((entry) => entry.trim());
    return entries.filter(Boolean).map((entry) => {
      const origin = URL.canParse(entry) ? new URL(entry).origin : 'null';
      if (entry.includes('*')) this.problems.push(`${name} never takes a wildcard`);
      else if (origin === 'null' || origin !== entry.replace(/\/$/, '').toLowerCase()) {
        this.problems.push(`${name} takes origins such as https://school.example.com`);
      }
      return origin;
    });
  }

  /** A comma-separated list of domain names, in lower case. */
  domains(name: string): string[] {
    const entries = (this.optional(name) ?? '').split(',').map((entry) => entry.trim().toLowerCase());
    const given = entries.filter(Boolean);
    if (!given.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)))
      this.problems.push(`${name} takes domains such as school.example.com`);
    return given;
  }

  /** A comma-separated list of IPv4 addresses, or of networks such as `203.0.113.0/24`. */
  addresses(name: string, fallback: readonly string[], { areNetworks }: { areNetworks: boolean }): readonly string[] {
    const entries = this.optional(name)
      ?.split(',')
      .map((entry) => entry.trim());
    if (!entries) return fallback;
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
  words(name: string): string[] {
    return (this.optional(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  }

  /** A comma-separated list of `key=value`. */
  pairs(name: string): Record<string, string> {
    const entries = this.words(name).map((entry) => /^([^=]+)=([^=]*)$/.exec(entry));
    if (entries.includes(null)) this.problems.push(`${name} takes pairs such as key=value,key=value`);
    return Object.fromEntries(entries.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : [])));
  }

  /** A comma-separated list of tolerations: `key`, `key=value`, each with or without `:Effect`. */
  tolerations(name: string): { key: string; operator: 'Exists' | 'Equal'; value?: string; effect?: string }[] {
    const form = /^([\w./-]+)(?:=([\w.-]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?$/;
    return this.words(name).flatMap((entry) => {
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

  #number(
    name: string,
    fallback: number,
    { min, max }: { min?: number; max?: number },
    form: RegExp,
    what: string,
  ): number {
    const text = this.optional(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!form.test(text) || (min !== undefined && value < min) || (max !== undefined && value > max)) {
      const range = [min === undefined ? '' : ` from ${min}`, max === undefined ? '' : ` to ${max}`].join('');
      this.problems.push(`${name} takes ${what}${range}`);
      return fallback;
    }
    return value;
  }
}
