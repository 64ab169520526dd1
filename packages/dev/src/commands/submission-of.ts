import type { CommandLine } from "@kindling/command-line";

/**
 * The arguments of `kindling submit`: an application with its arguments, and the flags of `submit` after `--`. The
 * application may also be there.
 */
export function submissionOf({ operands, behindDashes = [] }: CommandLine): readonly string[] {
  const application = operands.slice(0, operands.length - behindDashes.length);
  return [...behindDashes, ...application];
}
