/** The fields that distinguish Spark's container from others; in the cluster each may have any type. */
export interface NamedContainer {
  readonly name?: unknown;
  readonly env?: unknown;
}

const USUAL = /^spark-kubernetes-(?:driver|executor)$/;
/**
 * Variables that Spark sets only in its own container, no matter how a template names the container (BasicDriverFeatureStep,
 * BasicExecutorFeatureStep).
 */
const OWN_VARIABLES: ReadonlySet<unknown> = new Set(["SPARK_DRIVER_BIND_ADDRESS", "SPARK_EXECUTOR_ID"]);

/**
 * The container that runs Spark: by its usual name, else by the variables that Spark sets in it. The position does not tell,
 * because software that injects sidecars may put them first or last. Name and variables are in the pod's spec, which does not
 * change once the pod exists.
 *
 * @returns undefined if no container has them
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
