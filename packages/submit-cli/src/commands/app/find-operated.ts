import { isDnsSubdomain, KindlingError, quotedName } from "@kindling/core-spec";
import { isObjectNotFound, type KubeClient } from "@kindling/kube";
import { matchesPattern, parseApplicationName, type ApplicationName } from "@kindling/submit";
import { APPLICATIONS, SCHEDULES, type OperatedKind } from "./operated-kind.ts";
import type { Operated, OperatedObject } from "./operated-object.ts";

/**
 * The names that a command line gives, at least one.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function namesIn(operands: readonly string[]): ApplicationName[] {
  if (operands.length === 0) throw noName("which one? name it", "kindling app list shows them");
  return operands.map(parseApplicationName);
}

/**
 * The one name that a command line gives.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function nameIn(operands: readonly string[], command: string): ApplicationName {
  const [name, ...more] = namesIn(operands);
  if (name === undefined || more.length > 0 || name.isPattern)
    throw noName(`${command} is about one application: name it`, "kindling app list shows them");
  return name;
}

function noName(message: string, hint: string): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", message, { hint });
}

/**
 * The objects of a kind with this name: one or none for a name, any number for a pattern.
 *
 * @throws KubeError
 */
export async function findOperated<V extends Operated>(
  client: KubeClient,
  { type }: OperatedKind<V>,
  { namespace, name, isPattern }: ApplicationName,
): Promise<OperatedObject[]> {
  if (isPattern) {
    const { items } = await client.listAll(type, { namespace });
    return items.filter(({ metadata }) => matchesPattern(name, metadata?.name ?? ""));
  }
  // No object can have this name.
  if (!isDnsSubdomain(name)) return [];
  try {
    return [await client.get(type, name, { namespace })];
  } catch (error) {
    if (isObjectNotFound(error, type, name)) return [];
    throw error;
  }
}

/**
 * The one object of a kind with this name.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND`, KubeError
 */
export async function findOne<V extends Operated>(
  client: KubeClient,
  kind: OperatedKind<V>,
  wanted: ApplicationName,
): Promise<OperatedObject> {
  const [found] = await findOperated(client, kind, wanted);
  if (found === undefined) throw await nothingCalled(client, kind, wanted);
  return found;
}

/**
 * The error if no object of a kind has this name. It says where the search was made, and whether an object of the other kind
 * has the name.
 */
export async function nothingCalled<V extends Operated>(
  client: KubeClient,
  { type: { kind }, flag }: OperatedKind<V>,
  wanted: ApplicationName,
): Promise<KindlingError> {
  const { namespace = client.namespace, name } = wanted;
  const other = flag === "" ? SCHEDULES.type.kind : APPLICATIONS.type.kind;
  const hint = (await isOtherKind(client, flag, wanted))
    ? `a ${other} is called so: ${flag === "" ? "add --scheduled" : "leave --scheduled out"}`
    : `kindling app list ${flag}-n ${namespace} shows those that are there; for another namespace, -n or NAMESPACE:NAME`;
  return new KindlingError("OBJECT_NOT_FOUND", `no ${kind} in namespace ${namespace} is called ${quotedName(name)}`, {
    hint,
  });
}

async function isOtherKind(client: KubeClient, flag: string, wanted: ApplicationName): Promise<boolean> {
  if (wanted.isPattern) return false;
  try {
    const found = await (flag === ""
      ? findOperated(client, SCHEDULES, wanted)
      : findOperated(client, APPLICATIONS, wanted));
    return found.length > 0;
  } catch {
    // Only a hint depends on it.
    return false;
  }
}
