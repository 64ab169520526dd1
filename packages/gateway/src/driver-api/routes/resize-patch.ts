import { isObject, type Json, type JsonObject } from "@kindling/kube-objects";
import { parseAmount } from "@kindling/api-server";

/** The resources that a patch sets for a container. */
export interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** The only kind of patch that Spark's plug-ins send. */
export const STRATEGIC = "application/strategic-merge-patch+json";

/** The object that a patch is for. */
export interface Named {
  readonly name: string;
  readonly namespace: string;
}

/** What a patch may change. */
export interface Resizable extends Named {
  /** The one container whose resources may change. */
  readonly container: string;
}

/** Amounts of memory or CPUs are never longer; longer ones would take long to parse. */
const LONGEST_QUANTITY = 32;

/**
 * The resources that a strategic merge patch sets for the container; or a text that says what else the patch would change,
 * which a driver may not do.
 */
export function readResize(patch: Json, resizable: Resizable): Resources | string {
  if (!isObject(patch)) return "its patch must be an object";
  const { apiVersion: _version, kind: _kind, metadata = {}, spec, ...others } = patch;
  const [other] = Object.keys(others);
  if (other !== undefined) return alone(resizable, other);
  if (!namesNothingElse(metadata, resizable)) return alone(resizable, "metadata");
  if (!isObject(spec)) return "its patch must have spec.containers";
  const { containers, ...beside } = spec;
  const [field] = Object.keys(beside);
  if (field !== undefined) return alone(resizable, `spec.${field}`);
  const [container, further] = Array.isArray(containers) ? containers : [];
  if (!isObject(container) || further !== undefined) return "its patch must have one container in spec.containers";
  const { name, resources, ...rest } = container;
  const [part] = Object.keys(rest);
  if (name !== resizable.container) return alone(resizable, `spec.containers[${JSON.stringify(name)}]`);
  if (part !== undefined) return alone(resizable, `spec.containers[0].${part}`);
  if (!isObject(resources)) return "its patch must have resources in its container";
  return readResources(resources, resizable);
}

function readResources(resources: JsonObject, resizable: Resizable): Resources | string {
  const read: Record<string, Record<string, string>> = {};
  for (const [list, amounts] of Object.entries(resources)) {
    const at = `spec.containers[0].resources.${list}`;
    if ((list !== "requests" && list !== "limits") || !isObject(amounts)) return alone(resizable, at);
    const texts: Record<string, string> = {};
    for (const [name, amount] of Object.entries(amounts)) {
      if (name !== "cpu" && name !== "memory") return alone(resizable, `${at}.${name}`);
      const text = readQuantity(amount);
      if (text === undefined) {
        return `${at}.${name} must be a quantity above 0, such as 2Gi`;
      }
      texts[name] = text;
    }
    read[list] = texts;
  }
  return read;
}

/** A quantity above zero. */
export function readQuantity(value: Json | undefined): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text.length > LONGEST_QUANTITY) return undefined;
  return (parseAmount(text)?.nanos ?? 0n) > 0n ? text : undefined;
}

/** Whether the metadata of a patch changes nothing. */
export function namesNothingElse(metadata: Json, { name, namespace }: Named): boolean {
  const kept = new Map([
    ["name", name],
    ["namespace", namespace],
  ]);
  return isObject(metadata) && Object.entries(metadata).every(([field, value]) => kept.get(field) === value);
}

function alone({ container }: Resizable, path: string): string {
  return `a driver may change only requests and limits of cpu and memory of the container ${container}, not ${path}`;
}
