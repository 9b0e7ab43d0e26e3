/** Texts with a preview, and drafts. */
export const fields = {
  previewText: 'Preview',
  editText: 'Edit',
  previewOf: (field: string) => `Preview of ${field}`,
  noPreview: 'There is no text yet.',
  drafts: {
    title: 'Unsaved changes',
    restored: (time: string) => `Your unsaved changes of ${time} were restored.`,
    outdated: 'It has been changed since: saving replaces those changes.',
    discard: 'Discard them',
    keep: 'Keep them',
  },
};
