export type ImageFacts = {
  labels: Readonly<Record<string, string>>;
  /** The image's entry point and command, one after the other. */
  command: readonly string[];
  /** The working directory of the command. */
  folder: string;
};

export const labels = {
  installation: 'platform.installation',
  uid: 'platform.container',
  capabilities: 'platform.capabilities',
  privileges: 'platform.privileges',
  /** Set on containers whose layer has a storage quota. */
  disk: 'platform.disk',
};

/**
 * Capabilities that sshd, its terminals (AUDIT_WRITE) and a login shell need in every container. A label lists further ones of an image
 * that was not added from a registry.
 */
const loginCapabilities = 'CHOWN,DAC_OVERRIDE,FOWNER,FSETID,SETUID,SETGID,KILL,SYS_CHROOT,AUDIT_WRITE';

/**
 * The first process gives them up before it starts anything of the image, and so does the SSH server of students (see
 * `images/grader/confine.h`). Only checks keep them: without them nobody can trace a check.
 */
const checkCapabilities = 'SETFCAP,SETPCAP';

/** The capabilities of a container: those of a login and of checks, and those that the image's label names. */
export const capabilitiesOf = (image: ImageFacts): string[] => [
  ...new Set(
    `${loginCapabilities},${checkCapabilities},${image.labels[labels.capabilities] ?? ''}`.split(',').filter(Boolean),
  ),
];

/** An image of a registry, whose label gives no capability: whoever may push there would choose it. */
export const withoutCapabilities = (image: ImageFacts): ImageFacts => ({
  ...image,
  labels: { ...image.labels, [labels.capabilities]: '' },
});

/** Whether the image lets its user become root. */
export const isSudoGranted = (image: ImageFacts): boolean => image.labels[labels.privileges] === 'sudo';

/** The name of the image without the common prefix, for the prompt. */
export function hostnameOf(image: string): string {
  const name = image.replace(/^.*\//, '').replace(/[:@].*$/, '');
  return (
    name
      .replace(/^platform-(exam-)?/, '')
      .replace(/[^A-Za-z0-9-]/g, '-')
      .slice(0, 60)
      .replace(/^-+|-+$/g, '') || 'container'
  );
}
