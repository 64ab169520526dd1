import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { fingerprint } from "../../json/fingerprint.ts";

/** Tells an executor the address of its driver's pod, for users' programs. Spark itself does not use it. */
export const DRIVER_POD_IP = "SPARK_DRIVER_POD_IP";

const CONF_VOLUME = "spark-conf-volume-exec";
const JAVA_OPTION = /^SPARK_JAVA_OPT_\d+$/;

/**
 * The first field in which two executors differ, such as `spec.containers.spark.env.TEAM`; undefined if they are the same
 * apart from their metadata. Three differences are allowed. The name of the ConfigMap with their configuration is random. The
 * order of their JVM options comes from a hash table. And whether they get the address of their driver's pod depends on the
 * entry point of the driver's image.
 */
export function specDifference(one: KubeObject, other: KubeObject): string | undefined {
  return difference("spec", plain(one["spec"]), plain(other["spec"]));
}

function difference(path: string, one: unknown, other: unknown): string | undefined {
  if (fingerprint(one) === fingerprint(other)) return undefined;
  if (!isObject(one) || !isObject(other)) return path;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  for (const name of names) {
    const found = difference(`${path}.${name}`, one[name] ?? null, other[name] ?? null);
    if (found !== undefined) return found;
  }
  return path;
}

/** Removes empty values, and turns lists of named items into objects by name. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    const members = withoutNumbers(value.filter((member) => !isNamed(member) || member.name !== DRIVER_POD_IP));
    if (!members.every(isNamed)) return members.map(plain);
    // An item that is there twice differs from an item that is there once.
    return Object.fromEntries(
      members.map((member, index) => {
        const isFirst = members.findIndex(({ name }) => name === member.name) === index;
        return [isFirst ? member.name : `${member.name}#${index}`, plain(member)];
      }),
    );
  }
  if (!isObject(value)) return value;
  const isConfVolume = value["name"] === CONF_VOLUME;
  const members = Object.entries(value).filter(([name, member]) => {
    return !saysNothing(member) && !(isConfVolume && name === "configMap");
  });
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return isObject(value) || Array.isArray(value) ? Object.keys(value).length === 0 : false;
}

function withoutNumbers(members: readonly unknown[]): unknown[] {
  const options = members.filter(isJavaOption).map((option) => String(option["value"]));
  if (options.length === 0) return [...members];
  return [...members.filter((member) => !isJavaOption(member)), { name: "SPARK_JAVA_OPT", value: options.sort() }];
}

function isJavaOption(member: unknown): member is JsonObject {
  return isNamed(member) && JAVA_OPTION.test(member.name);
}

function isNamed(member: unknown): member is JsonObject & { readonly name: string } {
  return isObject(member) && typeof member["name"] === "string";
}
