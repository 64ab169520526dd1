import { KindlingError } from "@kindling/core-spec";
import type { FlagValues } from "./flag-values.ts";
import type { LeaderElectionSettings } from "./operator-settings.ts";

/** Waits between renewals may be longer by this factor (client-go, tools/leaderelection, `JitterFactor`). */
const LONGEST_RETRY = 1.2;

/**
 * @returns undefined if this process leads without an election
 * @throws KindlingError `ARGUMENT_INVALID` for durations with which there could be two leaders, or none for a long time
 */
export function leaderElectionSettings(values: FlagValues): LeaderElectionSettings | undefined {
  if (!values.isOn("leader-election")) return undefined;
  const settings = {
    name: needed(values, "leader-election-lock-name"),
    namespace: needed(values, "leader-election-lock-namespace"),
    leaseDurationMs: values.milliseconds("leader-election-lease-duration"),
    renewDeadlineMs: values.milliseconds("leader-election-renew-deadline"),
    retryPeriodMs: values.milliseconds("leader-election-retry-period"),
  };
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = settings;
  if (retryPeriodMs === 0) throw fault("--leader-election-retry-period has to be more than 0");
  if (leaseDurationMs <= renewDeadlineMs)
    throw fault("--leader-election-lease-duration has to be longer than --leader-election-renew-deadline");
  if (renewDeadlineMs <= retryPeriodMs * LONGEST_RETRY)
    throw fault("--leader-election-renew-deadline has to be longer than 1.2 times --leader-election-retry-period");
  return settings;
}

function needed(values: FlagValues, name: string): string {
  const text = values.text(name);
  if (text === undefined) throw new KindlingError("ARGUMENT_INVALID", `--${name} has to be a name, and is empty`);
  return text;
}

function fault(message: string): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", message, { hint: "the defaults 15s, 10s and 2s are good for most" });
}
