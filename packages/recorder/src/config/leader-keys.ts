import type { LeaseSettings } from "@kindling/controller";
import { confType } from "@kindling/core-spec";
import { seconds, type Settings, text } from "@kindling/service/settings";

/** Settings for more than one recorder. Durations are in seconds. */
export interface LeaderConfig {
  readonly "leader.election": boolean;
  readonly "leader.leaseName": string;
  readonly "leader.leaseNamespace": string | undefined;
  readonly "leader.leaseDuration": number;
}

export const LEADER_KEYS: Settings<LeaderConfig> = {
  "leader.election": {
    type: confType.boolean,
    default: "false",
    doc:
      "Whether a Lease decides which of several recorders records. Needed wherever two may run with the same archive, also " +
      "for moments: when a node is cut off, its pods may go on while others replace them. The others answer readers.",
  },
  "leader.leaseName": { type: text, default: "kindling-recorder", doc: "Name of the Lease." },
  "leader.leaseNamespace": {
    type: text,
    default: undefined,
    doc: "Namespace of the Lease; by default the recorder's own.",
  },
  "leader.leaseDuration": {
    type: confType.checked(seconds, (value) => value >= 3, "a duration of at least 3s"),
    default: "15s",
    doc: "How long the others wait after the one that records has last renewed the Lease. It gives up after two thirds of that.",
  },
};

/** The Lease of a configuration; `undefined` if there is none. */
export function leaseOf(config: LeaderConfig): LeaseSettings | undefined {
  if (!config["leader.election"]) return undefined;
  const leaseDurationMs = config["leader.leaseDuration"] * 1000;
  return {
    ...{ name: config["leader.leaseName"], namespace: config["leader.leaseNamespace"], leaseDurationMs },
    // As client-go has it: 15 s, 10 s and 2 s.
    renewDeadlineMs: (leaseDurationMs * 2) / 3,
    retryPeriodMs: (leaseDurationMs * 2) / 15,
  };
}
