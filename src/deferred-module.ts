import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Defers a CommonJS module that a package loads and that the service does not use: it is loaded at its first use instead. Call this
 * before the package is imported.
 * @param id as the package names it, such as `./session`
 * @param functions functions and classes that the package takes from the module when it is loaded itself; only their calls load the module
 */
export function deferModule(packageName: string, id: string, functions: readonly string[] = []): void {
  const path = createRequire(require.resolve(packageName)).resolve(id);
  if (require.cache[path]) return;
  let loaded: { exports: ReturnType<typeof require> } | undefined;
  const load = () => {
    // The package keeps what it has been given, so this runs at each use.
    if (loaded === undefined) {
      delete require.cache[path];
      loaded = { exports: require(path) };
    }
    return loaded.exports;
  };
  const deferred = (name: string) =>
    function (this: unknown, ...args: unknown[]): unknown {
      return new.target ? Reflect.construct(load()[name], args) : Reflect.apply(load()[name], this, args);
    };
  const exports = new Proxy(() => undefined, {
    get: (_target, name) => (functions.includes(String(name)) ? deferred(String(name)) : load()[name]),
    apply: (_target, self, args) => Reflect.apply(load(), self, args),
  });
  require.cache[path] = Object.assign(Object.create(null), { id: path, filename: path, loaded: true, exports });
}
