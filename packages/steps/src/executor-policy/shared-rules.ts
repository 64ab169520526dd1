import { isRecord } from "../plain-data.ts";
import { COMPARED, type Comparison, fields, harmless, HARMLESS, list, map, naming, type Rule } from "./rules.ts";

/** A pod that may read a Secret in one way may read it in all ways. */
export const SECRET: Comparison = naming("Secret");

// The ConfigMaps that a driver creates for its executors with generated names, and the one with the cluster's CA.
const OWN_CONFIG_MAP = /^(?:spark-exec-[a-z0-9-]+-conf-map|kube-root-ca\.crt)$/;

export const CONFIG_MAP: Comparison = naming("ConfigMap", {
  isHarmless: (name) => typeof name === "string" && OWN_CONFIG_MAP.test(name),
});

/** The user's number gives access to files of others, for example on NFS. */
export const USER_AND_GROUP: Readonly<Record<string, Rule>> = {
  runAsUser: naming("user"),
  runAsGroup: naming("group"),
};

/** Amounts of any resource are only counted. A claim for a device belongs to somebody. */
export const RESOURCES: Rule = fields({ limits: map(HARMLESS), requests: map(HARMLESS), claims: list(COMPARED) });

/** A profile on the node; everybody may use the container runtime's own profile. */
export function profile(type: string): Comparison {
  return {
    kind: "compared",
    isHarmless: (value) => isRecord(value) && Object.keys(value).length === 1 && value["type"] === type,
  };
}

export const LABEL_SELECTOR: Rule = fields({
  matchLabels: map(HARMLESS),
  matchExpressions: list(fields(harmless("key operator values"))),
});
