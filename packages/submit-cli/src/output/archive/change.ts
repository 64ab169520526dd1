/** A value of two runs; one of them may have none. */
export interface Change {
  readonly name: string;
  readonly before: string | number | undefined;
  readonly after: string | number | undefined;
}
