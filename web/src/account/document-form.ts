/** What the user has done with the login form of the document, before React has replaced it. */
export type DocumentForm = { username: string; password: string; focused: string | undefined; isSent: boolean };

const untouched: DocumentForm = { username: '', password: '', focused: undefined, isSent: false };

/** Reads the form in index.html, which disappears with the first page that React renders. */
export function readDocumentForm(): DocumentForm {
  const form = document.getElementById('document-login');
  if (!(form instanceof HTMLFormElement)) return untouched;
  const value = (name: string): string => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement ? field.value : '';
  };
  const { activeElement } = document;
  const focused =
    activeElement instanceof HTMLInputElement && form.contains(activeElement) ? activeElement.name : undefined;
  return { username: value('username'), password: value('password'), focused, isSent: 'sent' in form.dataset };
}
