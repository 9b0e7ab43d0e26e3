/** Loaded before a service of a test (`--import`): its clock is wrong by `CLOCK_SHIFT_SECONDS`. Timers are unaffected, as on a machine with a wrong clock. */
const shift = 1000 * Number(process.env['CLOCK_SHIFT_SECONDS']);
const now = (): number => Reflect.apply(trueNow, undefined, []) + shift;
const trueNow = Date.now;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
