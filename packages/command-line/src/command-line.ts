/** The options and operands of a command line. */
export interface CommandLine {
  readonly operands: readonly string[];
  /** The operands after `--`; undefined if there is no `--`. */
  readonly behindDashes: readonly string[] | undefined;
  /** The last value of an option. */
  value(name: string): string | undefined;
  /** All values of an option, in order. */
  values(name: string): readonly string[];
  has(name: string): boolean;
}
