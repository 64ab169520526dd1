import { KindlingError } from "@kindling/core-spec";
import { isKubernetesMaster, type RequestedApplication, type SubmitRequest } from "@kindling/submit";
import { parseArguments, toRequest } from "@kindling/spark-arguments";

/** Switches without a meaning for a service, and switches for something that a service always does. */
const PASSED_OVER: ReadonlySet<string> = new Set(["--verbose", "--load-spark-defaults", "--supervise"]);
/** Flags of commands about the user's machine or terminal. */
const OF_COMMANDS = ["--kill", "--status", "--output", "--context"] as const;

/**
 * Converts spark-submit's arguments. The master is always the service's own cluster, no matter what `--master k8s://…` says.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `UNSUPPORTED`
 */
export function fromArguments(args: readonly string[]): SubmitRequest {
  const parsed = parseArguments(args);
  const refused =
    OF_COMMANDS.find((flag) => parsed.values.has(flag)) ?? [...parsed.switches].find((flag) => !PASSED_OVER.has(flag));
  if (refused !== undefined) throw new KindlingError("ARGUMENT_INVALID", `${refused} is not for a service`);
  const { application, conf = {}, loadSparkDefaults: _, ...request } = toRequest(parsed);
  if (application === undefined) throw new KindlingError("ARGUMENT_INVALID", "no application is named");
  return { ...request, application: named(application), conf: withoutOwnCluster(conf) };
}

function named({ resource, mainClass, arguments: args = [] }: RequestedApplication): RequestedApplication {
  return { resource, mainClass, arguments: args };
}

function withoutOwnCluster(conf: Readonly<Record<string, string>>): Record<string, string> {
  const { "spark.master": master, "spark.submit.deployMode": mode, ...others } = conf;
  if (master !== undefined && !isKubernetesMaster(master))
    throw new KindlingError("UNSUPPORTED", `--master ${master}: applications are submitted to Kubernetes alone`);
  if (mode !== undefined && mode !== "cluster")
    throw new KindlingError("UNSUPPORTED", `--deploy-mode ${mode}: applications are submitted in cluster mode`);
  return others;
}
