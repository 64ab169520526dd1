import { isRecord } from "../plain-data.ts";
import { COMPARED, type Comparison, fields, harmless, HARMLESS, list, map, naming, type Rule } from "./rules.ts";

/** Who may read a Secret by one way may read it by all. */
export const SECRET: Comparison = naming("Secret");

// Those that a driver makes for its executors, with names that it draws, and the cluster's authority.
const OWN_CONFIG_MAP = /^(?:spark-exec-[a-z0-9-]+-conf-map|kube-root-ca\.crt)$/;

export const CONFIG_MAP: Comparison = naming("ConfigMap", {
  isHarmless: (name) => typeof name === "string" && OWN_CONFIG_MAP.test(name),
});

/** Files of others, as on NFS, are open to a number. */
export const USER_AND_GROUP: Readonly<Record<string, Rule>> = {
  runAsUser: naming("user"),
  runAsGroup: naming("group"),
};

/** Amounts of any resource are counted. A claim on a device is somebody's. */
export const RESOURCES: Rule = fields({ limits: map(HARMLESS), requests: map(HARMLESS), claims: list(COMPARED) });

/** A profile of the node, of which the container runtime's own may be had by everybody. */
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
