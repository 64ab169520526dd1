/** One thing that every implementation of a contract must do; independent of any test runner. */
export interface ConformanceCase<T> {
  readonly name: string;
  /** Rejects, with an assertion error that says why, if it does not hold. */
  run(subject: T): Promise<void>;
}
