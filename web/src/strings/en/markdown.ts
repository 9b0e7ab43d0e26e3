/** A field for Markdown with its preview. */
export const markdown = {
  preview: 'Preview',
  edit: 'Edit',
  previewOf: (field: string) => `Preview of ${field}`,
  empty: 'There is no text yet.',
};
