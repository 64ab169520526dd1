/** The options and operands of a command line. */
export interface CommandLine {
  readonly operands: readonly string[];
  /** Those of the operands that stand behind `--`; undefined where there is no `--`. */
  readonly behindDashes: readonly string[] | undefined;
  /** The last value that an option was given. */
  value(name: string): string | undefined;
  /** All values that an option was given, in order. */
  values(name: string): readonly string[];
  has(name: string): boolean;
}
