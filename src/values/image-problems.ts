/** What an image must have, see docs/authoring.md. */
export const imageParts = ['sshd', 'bash', 'student', 'grader', 'command'] as const;
export type ImagePart = (typeof imageParts)[number];

/** Why an image could not be pulled or used. */
export const imageProblems = [
  ...(['registry_unreachable', 'registry_denied', 'reference_unknown', 'image_too_large', 'pull_timeout'] as const),
  ...(['pull_failed', 'password_unreadable', 'parts_missing'] as const),
] as const;
export type ImageProblem = (typeof imageProblems)[number];

/** A label of a host's name. */
const part = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const host = `(?:(?:localhost|${part}(?:\\.${part})+)(?::[0-9]{1,5})?|${part}:[0-9]{1,5})`;
/**
 * A reference with its registry, as the specification of the distribution of images has it: `registry.example.com:5000/school/net:2`. A name
 * without a dot, a port or `localhost` in its first part would be one of Docker Hub's.
 */
export const imageReference =
  `^${host}` +
  '(?:/[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*)+(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$';

/** The host of a registry with its port, as references begin with it. */
export const registryHost = `^${host}$`;
/** The registry of a reference that has one. */
export const registryOf = (reference: string): string => reference.slice(0, reference.indexOf('/'));

/** A reference as it is stored: an engine takes one without a tag for that with `latest`. */
export const wholeReference = (name: string): string =>
  /[:@][^/]*$/.test(name.slice(name.indexOf('/') + 1)) || !name.includes('/') ? name : `${name}:latest`;

/** Whether a course may use an image, by what administrators have granted it. */
export function imageGrant(grants: {
  images: readonly string[];
  common_images: readonly string[];
  own_images: readonly string[];
}): (name: string) => boolean {
  const granted = new Set([...grants.images, ...grants.common_images, ...grants.own_images].map(wholeReference));
  return (name) => granted.has(wholeReference(name));
}
