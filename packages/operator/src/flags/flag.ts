/** The form of a flag's value. Durations are written as in Go: `30s`, `1h30m`. */
export type FlagKind = "switch" | "integer" | "number" | "duration" | "text" | "list" | "numbers" | "json" | "gates";

/** One flag of `controller start`. */
export interface Flag {
  /** Without dashes. */
  readonly name: string;
  readonly kind: FlagKind;
  /** As it is written on a command line; empty for none. */
  readonly default: string;
  readonly doc: string;
  /** Why it has no effect here, though stock's operator has it; such a flag is accepted and logged. */
  readonly withoutEffect?: string;
}
