import 'katex/dist/katex.min.css';

/** The library for formulas with its styles and fonts: loaded by lessons that have formulas. */
export { default as katex } from 'katex';
