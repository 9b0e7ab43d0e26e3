/// <reference lib="dom" />
// Functions that a test hands to a page run in the browser: its types are needed here.
