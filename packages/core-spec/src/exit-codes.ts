/** An exit code of a command, and its meaning. */
export interface ExitCodeEntry {
  readonly code: number;
  readonly meaning: string;
}

/**
 * Every exit code that `kindling` and its commands use; the localizer, an init container, has its own codes. A code is never
 * reused for another meaning.
 */
export const EXIT_CODES: Readonly<
  Record<"success" | "failure" | "timedOut" | "interrupted" | "noArguments", ExitCodeEntry>
> = {
  success: { code: 0, meaning: "the application succeeded, or was only to be submitted" },
  failure: {
    code: 1,
    meaning: "it was refused, or its driver failed with 1 or without a code, or was deleted; -o json tells which",
  },
  timedOut: { code: 124, meaning: "a --timeout or --pending-timeout is over; the application goes on" },
  interrupted: { code: 130, meaning: "interrupted; the application goes on" },
  noArguments: { code: 255, meaning: "submit had no arguments, as with spark-submit" },
};

/** The codes as the help and the error reference show them. */
export function exitCodeRows(): (readonly [code: string, meaning: string])[] {
  return [
    ...Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning] as const),
    ["other", "the driver's own exit code"],
  ];
}
