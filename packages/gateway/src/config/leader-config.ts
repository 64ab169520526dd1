import type { LeaseSettings } from "@kindling/controller";
import { confType } from "@kindling/core-spec";
import { seconds, type Settings, text } from "@kindling/service/settings";

/** Settings of leader election. Durations are in seconds. */
export interface LeaderConfig {
  readonly "leader.election": boolean;
  readonly "leader.leaseName": string;
  readonly "leader.leaseNamespace": string | undefined;
  readonly "leader.identity": string | undefined;
  readonly "leader.leaseDuration": number;
  readonly "leader.renewDeadline": number;
  readonly "leader.retryPeriod": number;
}

export const LEADER_KEYS: Settings<LeaderConfig> = {
  "leader.election": {
    type: confType.boolean,
    default: "false",
    doc:
      "Whether a Lease decides which of several replicas serves. Needed wherever more than one may run, also during " +
      "an update.",
  },
  "leader.leaseName": { type: text, default: "kindling-gateway", doc: "Name of the Lease." },
  "leader.leaseNamespace": {
    type: text,
    default: undefined,
    doc: "Namespace of the Lease; by default the gateway's own.",
  },
  "leader.identity": {
    type: text,
    default: undefined,
    doc:
      "Name of this replica in the Lease. No other replica may have the same name. By default, host name and process " +
      "id; with these, a container that is restarted in its pod goes on at once.",
  },
  "leader.leaseDuration": {
    type: seconds,
    default: "15s",
    doc: "How long the other replicas wait after the leader has last renewed the Lease.",
  },
  "leader.renewDeadline": {
    type: seconds,
    default: "10s",
    doc: "After how long a leader that cannot renew the Lease gives up. Must be shorter than `leader.leaseDuration`.",
  },
  "leader.retryPeriod": {
    type: seconds,
    default: "2s",
    doc: "How often the leader renews the Lease, and the others try to get it.",
  },
};

// Candidates add up to a fifth to each wait (client-go's JitterFactor).
const LONGEST_WAIT = 1.2;

/** What is wrong with the durations together, though each of them is valid; undefined if nothing is wrong. */
export function leaderFault(config: LeaderConfig): string | undefined {
  const [duration, deadline, period] = [
    config["leader.leaseDuration"],
    config["leader.renewDeadline"],
    config["leader.retryPeriod"],
  ];
  if (period <= 0) return "leader.retryPeriod must be above 0";
  if (deadline <= period * LONGEST_WAIT)
    return `leader.renewDeadline (${deadline} s) must be more than ${LONGEST_WAIT} times leader.retryPeriod (${period} s)`;
  if (duration <= deadline)
    return `leader.leaseDuration (${duration} s) must be longer than leader.renewDeadline (${deadline} s)`;
  return undefined;
}

/** The Lease of a configuration. */
export function leaseOf(config: LeaderConfig): LeaseSettings {
  return {
    name: config["leader.leaseName"],
    namespace: config["leader.leaseNamespace"],
    leaseDurationMs: config["leader.leaseDuration"] * 1000,
    renewDeadlineMs: config["leader.renewDeadline"] * 1000,
    retryPeriodMs: config["leader.retryPeriod"] * 1000,
  };
}
