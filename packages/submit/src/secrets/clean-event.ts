import type { Redactor } from "@kindling/core-spec";
import type { SubmissionEvent } from "../events.ts";
import { cleanValue } from "./clean-error.ts";

/** An event without secrets. Log lines belong to the application, and other commands need the names unchanged. */
export function cleanEvent(event: SubmissionEvent, secrets: Redactor): SubmissionEvent {
  if (event.type === "notice") return { ...event, message: secrets.clean(event.message) };
  if (event.type === "diagnosis") return { ...event, diagnosis: cleanValue(event.diagnosis, secrets) };
  if (event.type !== "submitted" && event.type !== "state" && event.type !== "finished") return event;
  return { ...event, ...(event.state && { state: cleanValue(event.state, secrets) }) };
}
