/** Joins the truthy class names. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
