/** The compared aspects, in the order in which they are reported. */
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
