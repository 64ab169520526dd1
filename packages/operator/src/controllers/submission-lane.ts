import { messageOf } from "@kindling/core-spec";
import type { Log } from "@kindling/service";
import { lastingFaultText } from "../act/passing-fault.ts";
import { submitApplication, type Attempt, type SubmissionContext } from "../act/submit-application.ts";
import { readSparkApplication } from "../api/v1beta2/read.ts";
import { afterSubmission, type SubmissionOutcome } from "../reconcile/after-submission.ts";
import { warning, type ApplicationEvent } from "../reconcile/application-event.ts";
import { decide } from "../reconcile/decide.ts";
import { stateEvent } from "../reconcile/state-events.ts";
import { driverPodName } from "../names/driver-pod-name.ts";
import { viewOf, type Viewer } from "./application-view.ts";
import { refresh, storeStatus, type StatusStore } from "./store-status.ts";

export interface Submitter extends StatusStore {
  readonly submission: SubmissionContext;
  readonly viewer: Viewer;
  readonly log: Log;
  readonly lookAgainAfter: (key: string, milliseconds: number) => void;
  /** Tries again after a wait that grows. */
  readonly retry: (key: string) => void;
  readonly now: () => number;
  /** Since when the API server has not been able to take the submission, by key. */
  readonly unavailableSince: Map<string, number>;
}

/** How long an API server that cannot answer is asked again before the submission counts as failed. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * Submits an application, if that is still to be done: it is read anew first, so that neither a watch that is behind nor
 * an operator that was away for a while starts what has been started or ended.
 */
export async function submitIfDue(submitter: Submitter, key: string): Promise<void> {
  const { client, stores, viewer, submission, now } = submitter;
  const known = stores.applications.get(key);
  if (known === undefined) return;
  const record = await refresh(client, stores, readSparkApplication(known.object).application).catch(
    (error: unknown) => {
      // An API server that is away says nothing about this submission: patience begins when it is there again.
      submitter.unavailableSince.delete(key);
      throw error;
    },
  );
  if (record === undefined) return;
  const { application, faults } = readSparkApplication(record.object);
  const { action } = decide(await viewOf(viewer, application, {}));
  if (action?.kind !== "submit") {
    submitter.lookAgainAfter(key, 0);
    return;
  }
  const startedAtMs = now();
  const attempt = await submitApplication(submission, application, faults, action.submissionId);
  const outcome = outcomeOf(submitter, key, attempt);
  if (outcome === undefined) return;
  const status = afterSubmission(
    application.status,
    {
      submissionId: action.submissionId,
      driverPodName: driverPodName(application),
      startedAtMs,
      endedAtMs: now(),
    },
    outcome,
  );
  const { state, errorMessage } = status.applicationState;
  const events = [...stateEvent(application.metadata.name, state, errorMessage), ...warningsOf(attempt)];
  if (!(await storeStatus(submitter, record, application, status, events))) submitter.retry(key);
}

/** @returns undefined if it is to be tried again before anything is recorded */
function outcomeOf(submitter: Submitter, key: string, attempt: Attempt): SubmissionOutcome | undefined {
  const { unavailableSince, log, now } = submitter;
  if (attempt.kind === "done") {
    unavailableSince.delete(key);
    return attempt.outcome;
  }
  if (attempt.kind === "occupied") {
    submitter.lookAgainAfter(key, LOOK_AGAIN_MS);
    return undefined;
  }
  const since = unavailableSince.get(key) ?? now();
  unavailableSince.set(key, since);
  log.warn("a submission could not be carried out yet", { application: key, error: messageOf(attempt.error) });
  if (now() - since < PATIENCE_MS) {
    submitter.retry(key);
    return undefined;
  }
  unavailableSince.delete(key);
  const message = `failed to submit spark application: failed to run spark-submit: ${lastingFaultText(attempt.error)}`;
  return { kind: "failed", message };
}

/** A spec may give cause for thousands of them. */
const MOST_NOTICES = 20;

function warningsOf(attempt: Attempt): readonly ApplicationEvent[] {
  const warnings = attempt.kind === "done" ? attempt.warnings : [];
  const more = warnings.length - MOST_NOTICES;
  const told = more > 0 ? [...warnings.slice(0, MOST_NOTICES), `and ${more} more notices`] : warnings;
  return told.map((text) => warning("SparkApplicationNotice", text));
}
