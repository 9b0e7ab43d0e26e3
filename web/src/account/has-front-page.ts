/** The service marks the document where visitors without an account see the front page. */
export const hasFrontPage = 'hasFrontPage' in document.documentElement.dataset;
