// The intended differences between the objects of Connect servers.
import type { Container, Pod } from "@kindling/core-spec";
import { isJsonObject } from "@kindling/spark-application/read";
import { confOfCommand } from "./command-words.ts";

/** The annotation for which spec a pod was made. */
const SPEC_ANNOTATION = "operator.kindling/spec";
/** Stock's container names no ports (kubeflow/spark-operator, issue 2967). */
const OWN_PORTS = new Set(["driver-rpc-port", "blockmanager", "spark-ui", "spark-connect"]);
/** With stock, executors of Spark 4.3 do not find the server. */
const OWN_KEY = "spark.kubernetes.executor.useDriverPodIP";

/** A pod with its command line taken apart, and without the intended differences. */
export function comparedPod({ metadata = {}, spec = {} }: Pod): unknown {
  const { [SPEC_ANNOTATION]: _mark, ...annotations } = metadata.annotations ?? {};
  const containers = (spec.containers ?? []).map((container) =>
    container.command?.[0] === "bash" ? comparedServer(container) : container,
  );
  return bare({ metadata: { ...metadata, annotations }, spec: { ...spec, containers } });
}

function comparedServer({ args = [], ports = [], ...container }: Container): object {
  // Releases after 2.5.2 have probes, and Kindling has theirs.
  const { startupProbe: _startup, readinessProbe: _readiness, ...rest } = container;
  const { [OWN_KEY]: _key, ...conf } = confOfCommand(args.join(" "));
  return { ...rest, conf, ports: ports.filter(({ name = "" }) => !OWN_PORTS.has(name)) };
}

/** A value without the members that Go writes although nobody has set them, and without empty texts, which it leaves out. */
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(bare);
  if (!isJsonObject(value)) return value === null || value === "" ? undefined : value;
  const kept = Object.entries(value).flatMap(([key, member]) => {
    const its = bare(member);
    return its === undefined && key !== "emptyDir" ? [] : [[key, its ?? {}] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
