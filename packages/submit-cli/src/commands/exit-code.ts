import { confKey, confType, EXIT_CODES, sparkConf, type ConfKey } from "@kindling/core-spec";
import type { Outcome } from "@kindling/submit";
import type { SubmitArguments } from "@kindling/spark-arguments";

/** Which exit code a submission has: the driver's or spark-submit's. */
export type ExitCodePolicy = "driver" | "spark";

export const EXIT_CODE: ConfKey<ExitCodePolicy> = confKey({
  key: "spark.kindling.submit.exitCode",
  type: confType.oneOf("driver", "spark"),
  default: "driver",
  since: "3.5.0",
  readBy: ["submit"],
  doc:
    "The exit code of the submission after a driver has failed. driver: the driver's exit code. spark: always 0, as " +
    "with spark-submit.",
});

/** Reads the policy. It throws `CONF_INVALID`, so it must be called before anything is done. */
export function exitCodePolicy(entries: Readonly<Record<string, string>>): ExitCodePolicy {
  return sparkConf(entries, { sparkVersion: "" }).get(EXIT_CODE);
}

/** A failed driver is a failure, unless the user wants spark-submit's exit code, which is always 0. */
export function exitCode(outcome: Outcome | undefined, policy: ExitCodePolicy): number {
  if (outcome?.phase === "TimedOut") return EXIT_CODES.timedOut.code;
  if (outcome === undefined || outcome.phase === "Started" || policy === "spark") return 0;
  return outcome.phase === "Deleted" ? 1 : outcome.exitCode;
}

/** spark-submit's own exit codes for a command line that it answers with its usage text. */
export function exitCodeOfUsage(argv: readonly string[], { switches }: SubmitArguments): number {
  if (switches.has("--help")) return 0;
  return argv.length === 0 ? EXIT_CODES.noArguments.code : EXIT_CODES.failure.code;
}
