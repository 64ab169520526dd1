import type { Container, Pod } from "kubernetes-types/core/v1.js";
import { listOf, text } from "./untrusted.ts";

const USUAL = /^spark-kubernetes-(?:driver|executor)$/;
/** What Spark sets in its own container alone, whatever a template calls it (BasicDriverFeatureStep, BasicExecutorFeatureStep). */
const OWN_VARIABLES: ReadonlySet<string> = new Set(["SPARK_DRIVER_BIND_ADDRESS", "SPARK_EXECUTOR_ID"]);

/**
 * The name of the container that runs Spark: by its usual name; else by what Spark sets in it, since whatever adds sidecars to
 * pods may add them behind it; else the last one, where Spark puts it.
 */
export function sparkContainer({ spec }: Pick<Pod, "spec">): string | undefined {
  const containers = listOf(spec?.containers);
  const names = containers.map(({ name }) => text(name));
  return (
    names.find((name) => name !== undefined && USUAL.test(name)) ??
    text(containers.find(isSparks)?.name) ??
    names.at(-1)
  );
}

function isSparks({ env }: Container): boolean {
  return listOf(env).some(({ name }) => OWN_VARIABLES.has(name));
}
