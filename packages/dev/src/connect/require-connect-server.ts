import { KindlingError, sparkVersionOf } from "@kindling/core-spec";
import { isVersion } from "../images/spark/spark-version.ts";
import type { ChosenSpark } from "../spark/choose-spark.ts";

export interface WantedSpark {
  /** What the user has named, if anything. */
  readonly wanted: string | undefined;
  /** Whether the cluster runs already, with its own Spark. */
  readonly isUp: boolean;
}

/**
 * Checks that a Spark can serve Spark Connect, and is the one that the user wants.
 *
 * @throws KindlingError `UNSUPPORTED`
 */
export function requireConnectServer({ version, home }: ChosenSpark, { wanted, isUp }: WantedSpark): void {
  if (wanted !== undefined && !isVersion(version, wanted)) {
    throw new KindlingError("UNSUPPORTED", `--spark ${wanted}: the cluster that is up runs on Spark ${version}`, {
      hint: "leave --spark out, or end that cluster first: kindling dev down",
    });
  }
  if (sparkVersionOf(version).has("connect-server")) return;
  const newer = "name a newer one with --spark or --spark-home";
  throw new KindlingError("UNSUPPORTED", `Spark ${version} (${home}) has no Connect server: Spark has it from 4.0 on`, {
    hint: isUp ? `end the cluster that is up with kindling dev down, and ${newer}` : newer,
  });
}
