/// <reference lib="dom" />
// Functions given to `page.evaluate` run in the browser and use its types.
