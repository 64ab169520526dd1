import type { ExceededLimit } from "@kindling/submit";

/** The time limit that has passed, as the beginning of a sentence. */
export function timedOutText(limit: ExceededLimit, time: string = "its time"): string {
  const what = limit === "timeout" ? "the application has not ended" : "the driver has not started";
  return `Timed out: ${what} within ${time}`;
}

/** The end of that sentence, and how to go on with the application. */
export function goesOnText(submissionId: string): string {
  return `; it goes on.\n  follow it: kindling wait ${submissionId}\n  end it:    kindling kill ${submissionId}\n`;
}
