/** Drafts. */
export const fields = {
  drafts: {
    title: 'Unsaved changes',
    restored: (time: string) => `Your unsaved changes of ${time} were restored.`,
    outdated: 'It has been changed since: saving replaces those changes.',
    discard: 'Discard them',
    keep: 'Keep them',
  },
};
