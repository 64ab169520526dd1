// The intended differences between our objects around an application and the stock ones.
import { compareQuantities, parseQuantity, type Quantity } from "@kindling/core-spec";
import type { SparkApplication } from "@kindling/spark-application";
import { parse } from "yaml";

const CREATED_BY = "sparkoperator.k8s.io/created-by-spark-operator";

/** An object of any kind. Only the members that are compared are listed. */
export interface AnyObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: AnyMeta | undefined;
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly spec?: object | undefined;
  readonly status?: unknown;
}

interface AnyMeta {
  readonly name?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly resourceVersion?: string | undefined;
  readonly creationTimestamp?: unknown;
}

/** Objects by their kinds and names, each without the fields that only the API server sets. */
export function comparedObjects(objects: readonly AnyObject[]): Readonly<Record<string, AnyObject>> {
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata?.name}`, compared(object)]));
}

function compared({ status: _status, metadata = {}, data, spec, ...object }: AnyObject): AnyObject {
  const { resourceVersion: _version, creationTimestamp: _time, labels = {}, ...rest } = metadata;
  return {
    ...object,
    metadata: { ...rest, labels: object.kind === "ConfigMap" ? labels : withoutCreator(labels) },
    ...(data !== undefined && { data: readData(data) }),
    ...(spec !== undefined && { spec: readSpec(spec) }),
  };
}

function withoutCreator({
  [CREATED_BY]: _created,
  ...labels
}: Readonly<Record<string, string>>): Record<string, string> {
  return labels;
}

/** Files by their meaning. */
function readData({
  "metrics.properties": properties,
  "prometheus.yaml": yaml,
  ...rest
}: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...rest,
    ...(properties !== undefined && { properties: properties.trim().split("\n").sort().join("\n") }),
    ...(yaml !== undefined && { yaml: JSON.stringify(parse(yaml)) }),
  };
}

interface AnySpec {
  readonly ports?: readonly object[];
  readonly clusterIP?: string;
}

function readSpec({ ports, clusterIP: _address, ...spec }: AnySpec): object {
  return { ...spec, ...(ports !== undefined && { ports: ports.map((port) => ({ ...port, protocol: undefined })) }) };
}

/** Objects after the memory of their groups is removed, and what was wrong with that memory. */
interface WithoutMemory {
  readonly objects: Readonly<Record<string, AnyObject>>;
  readonly groups: number;
  readonly wrong: readonly string[];
}

/**
 * Removes the memory from groups, if the user has not set it, and compares it.
 *
 * @param counted the memory of all pods, if it can be read
 */
export function withoutMemory(
  { spec: { batchSchedulerOptions } }: SparkApplication,
  objects: Readonly<Record<string, AnyObject>>,
  counted: Quantity | undefined,
): WithoutMemory {
  const isWritten = Object.keys(batchSchedulerOptions?.resources ?? {}).length > 0;
  const isCounted = ({ kind, apiVersion = "" }: AnyObject): boolean =>
    kind === "PodGroup" && !(isWritten && apiVersion.startsWith("scheduling.volcano.sh/"));
  const groups = Object.values(objects).filter(isCounted);
  return {
    objects: Object.fromEntries(
      Object.entries(objects).map(([name, object]) => [name, isCounted(object) ? withoutItsMemory(object) : object]),
    ),
    groups: groups.length,
    wrong: groups.flatMap((group) => {
      // The stock operator writes nothing if it could not read any memory.
      const memory = memoryOf(group);
      const quantity = parseQuantity(memory ?? "0");
      const isRight = counted !== undefined && quantity !== undefined && compareQuantities(quantity, counted) === 0;
      return isRight ? [] : [`memory of ${group.metadata?.name} is ${memory}`];
    }),
  };
}

interface GroupSpec {
  readonly minResources?: Readonly<Record<string, string>>;
}

function memoryOf({ spec = {} }: AnyObject): string | undefined {
  const { minResources = {} }: GroupSpec = spec;
  return minResources["memory"];
}

function withoutItsMemory({ spec = {}, ...object }: AnyObject): AnyObject {
  const { minResources = {}, ...others }: GroupSpec = spec;
  const { memory: _, ...resources } = minResources;
  return { ...object, spec: { ...others, minResources: resources } };
}
