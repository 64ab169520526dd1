/** What tells Spark's container from others; each may be anything, as it stands in the cluster. */
export interface NamedContainer {
  readonly name?: unknown;
  readonly env?: unknown;
}

const USUAL = /^spark-kubernetes-(?:driver|executor)$/;
/** What Spark sets in its own container alone, whatever a template calls it (BasicDriverFeatureStep, BasicExecutorFeatureStep). */
const OWN_VARIABLES: ReadonlySet<unknown> = new Set(["SPARK_DRIVER_BIND_ADDRESS", "SPARK_EXECUTOR_ID"]);

/**
 * The container that runs Spark: by its usual name; else by what Spark sets in it, since whatever adds sidecars to pods may add
 * them behind it. Both stand in the pod's spec, which nobody changes any more once there is the pod.
 *
 * @returns undefined where no container says so
 */
export function sparkContainerOf<C extends NamedContainer>(containers: readonly C[]): C | undefined {
  return containers.find(({ name }) => typeof name === "string" && USUAL.test(name)) ?? containers.find(isSparks);
}

function isSparks({ env }: NamedContainer): boolean {
  return Array.isArray(env) && env.some((variable: unknown) => OWN_VARIABLES.has(nameOf(variable)));
}

function nameOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "name" in value ? value.name : undefined;
}
