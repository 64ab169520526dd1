import { type KubeObjectLike, resources, type ResourceType } from "@kindling/kube";
import { KindlingError, SCHEDULER_RESTART_FINALIZER } from "@kindling/core-spec";
import { POD_OWNER } from "@kindling/staging-client";

/** A kind of object that may own bundles. */
export interface OwnerType {
  readonly name: string;
  readonly resource: ResourceType;
  /** Whether such an object has ended, and will not run again. */
  hasEnded(object: KubeObjectLike): boolean;
}

const POD: OwnerType = {
  name: POD_OWNER,
  resource: resources.pods,
  // While the finalizer is there, another driver with the same labels may follow, and it needs the same files.
  hasEnded: (object) => ["Succeeded", "Failed"].includes(valueAt(object, ["status", "phase"]) ?? "") && !isHeld(object),
};

function isHeld({
  metadata,
}: KubeObjectLike & { readonly metadata?: { readonly finalizers?: unknown } | undefined }): boolean {
  return Array.isArray(metadata?.finalizers) && metadata.finalizers.includes(SCHEDULER_RESTART_FINALIZER);
}

/**
 * Pods, and the custom resources that `lifecycle.ownerResources` declares.
 *
 * @throws KindlingError `CONF_INVALID`
 */
export function ownerTypes(declared: readonly string[]): ReadonlyMap<string, OwnerType> {
  const types = new Map([[POD.name, POD]]);
  for (const text of declared) {
    const type = parseOwnerType(text);
    if (types.has(type.name)) {
      throw new KindlingError("CONF_INVALID", `lifecycle.ownerResources declares ${type.name} twice`);
    }
    types.set(type.name, type);
  }
  return types;
}

function parseOwnerType(text: string): OwnerType {
  const [, name, group, version, plural, path, values] =
    /^([A-Za-z][A-Za-z0-9]*)=([a-z0-9.-]+)\/([a-z0-9]+)\/([a-z0-9]+)(?:=([A-Za-z0-9_.]+):([^=]+))?$/.exec(text) ?? [];
  if (name === undefined || group === undefined || version === undefined || plural === undefined) {
    throw new KindlingError("CONF_INVALID", `lifecycle.ownerResources: ${JSON.stringify(text)} declares no resource`, {
      hint: "write Type=group/version/plural, and after another = the states in which it has ended, as path:VALUE|VALUE",
    });
  }
  const ended = new Set(values?.split("|"));
  return {
    name,
    resource: { group, version, plural, kind: name, namespaced: true },
    hasEnded: (object) => path !== undefined && ended.has(valueAt(object, path.split(".")) ?? ""),
  };
}

function valueAt(object: object, path: readonly string[]): string | undefined {
  let value: unknown = object;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === "string" ? value : undefined;
}
