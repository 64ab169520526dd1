import { KindlingError, quotedName } from "@kindling/core-spec";
import type { CommandLine } from "../command-line.ts";

/** A program with its arguments. */
export interface GivenProgram {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The program that a command is to run: the words behind `--`; `undefined` if there are no dashes.
 *
 * @param calledAs how the user calls the command, such as `kindling connect`
 * @throws KindlingError `ARGUMENT_INVALID` for words in front of the dashes, and for dashes without words behind them
 */
export function programBehindDashes(
  { operands, behindDashes }: CommandLine,
  calledAs: string,
): GivenProgram | undefined {
  const [other] = operands.slice(0, operands.length - (behindDashes?.length ?? 0));
  if (other !== undefined) {
    throw new KindlingError("ARGUMENT_INVALID", `${calledAs} takes no ${quotedName(other)} here`, {
      hint: `a command to run goes after --: ${calledAs} -- pyspark`,
    });
  }
  if (behindDashes === undefined) return undefined;
  const [program, ...args] = behindDashes;
  if (program !== undefined) return { program, args };
  throw new KindlingError("ARGUMENT_INVALID", `which command? name it behind --, such as: ${calledAs} -- pyspark`);
}
