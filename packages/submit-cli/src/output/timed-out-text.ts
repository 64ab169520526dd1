import type { Outcome } from "@kindling/submit";

/** What is said when a limit of time is over: which one, and how to go on with the application. */
export function timedOutText(
  { limit }: Outcome & { readonly phase: "TimedOut" },
  submissionId: string,
  limits: { readonly timeout: string | undefined; readonly pendingTimeout: string | undefined },
): string {
  const what =
    limit === "timeout"
      ? `the application has not ended within ${limits.timeout ?? "its time"}`
      : `the driver has not started within ${limits.pendingTimeout ?? "its time"}`;
  return `Timed out: ${what}; it goes on.\n  follow it: kindling wait ${submissionId}\n  end it:    kindling kill ${submissionId}\n`;
}
