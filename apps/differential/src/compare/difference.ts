/** What is compared, in the order in which it is told. */
export type Aspect =
  | "harness"
  | "exit"
  | "client mode"
  | "refusal"
  | "subject"
  | "objects"
  | "properties"
  | "deletions"
  | "uploads"
  | "text";

export interface Difference {
  readonly aspect: Aspect;
  readonly text: string;
}
