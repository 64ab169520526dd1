import type { PodChanges } from "@kindling/core-spec";
import { LOCAL_DIR_PREFIX } from "../../translate/local-dir-volumes.ts";
import type { RoleFields } from "../role-fields.ts";

/**
 * What the role mounts, and of the application's volumes those that this takes. A mount without its volume is left out.
 * Scratch volumes are Spark's to mount: it hears of them through its configuration.
 */
export function volumes({ application, fields }: RoleFields): Partial<PodChanges> {
  // Of two volumes with one name the last counts.
  const known = new Map((application.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const mounts = (fields.volumeMounts ?? []).filter(
    ({ name }) => !name.startsWith(LOCAL_DIR_PREFIX) && known.has(name),
  );
  const used = new Set(mounts.map(({ name }) => name));
  return { volumes: [...used].flatMap((name) => known.get(name) ?? []), volumeMounts: mounts };
}
