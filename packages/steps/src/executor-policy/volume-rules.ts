import { CONFIG_MAP, SECRET } from "./shared-rules.ts";
import { fields, harmless, HARMLESS, list, map, naming, type JudgedPod, type Rule } from "./rules.ts";

// `user` and `defaultUser` say who owns the files. They do not say who runs.
const ITEMS = list(fields(harmless("key mode path user")));

const DOWNWARD_ITEMS = list(
  fields({
    ...harmless("mode path user"),
    fieldRef: fields(harmless("apiVersion fieldPath")),
    resourceFieldRef: fields(harmless("containerName divisor resource")),
  }),
);

const PROJECTED = fields({
  configMap: fields({ optional: HARMLESS, items: ITEMS, name: CONFIG_MAP }),
  secret: fields({ optional: HARMLESS, items: ITEMS, name: SECRET }),
  downwardAPI: fields({ items: DOWNWARD_ITEMS }),
  serviceAccountToken: { kind: "compared", ofAccount: true },
});

// A claim that copies the data of another claim, or that selects a volume, is compared.
const CLAIM_TEMPLATE = fields({
  metadata: fields({ labels: map(HARMLESS) }),
  spec: fields({
    ...harmless("accessModes storageClassName volumeMode"),
    resources: fields({ limits: map(HARMLESS), requests: map(HARMLESS) }),
  }),
});

/**
 * Volumes that are made for the pod, or that contain only what the pod may read anyway. Every other kind is compared as a
 * whole.
 */
export const VOLUME: Rule = fields({
  name: HARMLESS,
  emptyDir: fields(harmless("medium mode sizeLimit")),
  downwardAPI: fields({ ...harmless("defaultMode defaultUser"), items: DOWNWARD_ITEMS }),
  configMap: fields({ ...harmless("defaultMode defaultUser optional"), items: ITEMS, name: CONFIG_MAP }),
  secret: fields({ ...harmless("defaultMode defaultUser optional"), items: ITEMS, secretName: SECRET }),
  projected: fields({ ...harmless("defaultMode defaultUser"), sources: list(PROJECTED) }),
  // Another setting decides which images are allowed.
  image: fields(harmless("pullPolicy reference")),
  ephemeral: fields({ volumeClaimTemplate: CLAIM_TEMPLATE }),
  persistentVolumeClaim: fields({ readOnly: HARMLESS, claimName: naming("claim", { isHarmless: isOwnClaim }) }),
});

/** The kinds of volumes that no other pod writes to or reads. */
export const OWN_VOLUMES: ReadonlySet<string> = new Set([
  ...["emptyDir", "downwardAPI", "configMap", "secret", "projected", "image", "ephemeral"],
]);

/**
 * Whether a claim is one that Spark makes for an executor of this application (MountVolumesFeatureStep): for this executor or
 * for an earlier one. The template of a StatefulSet has `EXECID` in it, which no claim in the cluster can have in its name.
 */
export function isOwnClaim(name: unknown, { namePrefix }: JudgedPod): boolean {
  if (typeof name !== "string") return false;
  if (/-exec-EXECID-pvc-\d+$/.test(name)) return true;
  return namePrefix !== undefined && name.startsWith(namePrefix) && /^\d+-pvc-\d+$/.test(name.slice(namePrefix.length));
}
