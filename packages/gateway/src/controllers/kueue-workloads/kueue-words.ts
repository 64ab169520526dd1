import type { Workload } from "../../admission/kueue/workload.ts";

/** Why an application waits in its LocalQueue, in sentences for people. Kueue's own words say what is missing. */
export function kueueWords(localQueue: string, workloads: readonly Workload[]): readonly string[] {
  return workloads.flatMap((workload) => {
    const { state, part, executors } = workload;
    if (state.kind === "evicted") {
      const what = part === "core" ? "the application" : executorsText(executors);
      return [`Kueue takes back the quota of ${what}${said(state.message)}`];
    }
    if (state.kind !== "pending") return [];
    const what = part === "core" ? "" : `${executorsText(executors)}: `;
    return [
      `${what}waiting in LocalQueue ${localQueue} of Kueue${said(state.message ?? "Kueue has not looked at it yet")}`,
    ];
  });
}

function said(message: string): string {
  return message === "" ? "" : ` (${message.replace(/\.$/, "")})`;
}

function executorsText(count: number): string {
  return count === 1 ? "1 executor" : `${count} executors`;
}
