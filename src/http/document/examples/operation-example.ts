/** The request and the answers of one operation. */
export type OperationExample = {
  request?: unknown;
  /** Of the operation's success with 200 or 201. */
  answer: unknown;
  /** Of its success with 202, a start that waits for a container. */
  queued?: unknown;
};
