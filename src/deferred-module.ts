import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Defers a CommonJS module that a package loads and that the service does not use: it is loaded at its first use instead. Call this
 * before the package is imported.
 * @param id as the package names it, such as `./session`
 */
export function deferModule(packageName: string, id: string): void {
  const path = createRequire(require.resolve(packageName)).resolve(id);
  if (require.cache[path]) return;
  const load = () => {
    delete require.cache[path];
    return require(path);
  };
  const exports = new Proxy(() => undefined, {
    get: (_target, name) => load()[name],
    apply: (_target, self, args) => Reflect.apply(load(), self, args),
  });
  require.cache[path] = Object.assign(Object.create(null), { id: path, filename: path, loaded: true, exports });
}
