import type { CommandLine } from "@kindling/command-line";

/**
 * The arguments of `kindling submit`: an application with its arguments, and behind `--` what `submit` takes. There the
 * application may stand, too.
 */
export function submissionOf({ operands, behindDashes = [] }: CommandLine): readonly string[] {
  const application = operands.slice(0, operands.length - behindDashes.length);
  return [...behindDashes, ...application];
}
