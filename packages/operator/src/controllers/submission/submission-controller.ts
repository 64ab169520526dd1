import { againAfter, againLater, done, type ReconcileResult, type Term } from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import type { Log } from "@kindling/service";
import { driverPodName } from "@kindling/spark-application";
import { readSparkApplication } from "@kindling/spark-application/read";
import type { OperatorMetrics } from "../../metrics/operator-metrics.ts";
import { afterSubmission, type SubmissionOutcome } from "../../application-states/after-submission.ts";
import { warning, type ApplicationEvent } from "../../application-states/application-event.ts";
import { decide } from "../../application-states/decide.ts";
import { stateEvent } from "../../application-states/state-events.ts";
import { viewOf, type Viewer } from "../application/application-view.ts";
import { BACK_OFF } from "../back-off.ts";
import { refresh, storeStatus, type StatusStore } from "../application/store-status.ts";
import { lastingFaultText } from "./passing-fault.ts";
import { submitApplication, type Attempt, type SubmissionContext } from "./submit-application.ts";

/** The submissions of applications. Even many submissions do not delay the states of running applications. */
export interface Submissions {
  /** Submits an application, if that is still due when its turn comes. */
  submit(key: string): void;
  /** Whether an application is being submitted: then its state is checked only after the submission has ended. */
  defers(key: string): boolean;
}

export interface SubmissionsOptions extends StatusStore {
  readonly workers: number;
  readonly submission: SubmissionContext;
  readonly viewer: Viewer;
  readonly log: Log;
  readonly now: () => number;
  readonly metrics: OperatorMetrics | undefined;
  /** Called for each application that has to be checked. */
  readonly onChange: (key: string) => void;
}

interface Submitter extends SubmissionsOptions {
  /** Since when the API server has not been able to accept the submission, by key. */
  readonly unavailableSince: Map<string, number>;
}

/** How long a submission is tried again if the API server cannot answer, before it counts as failed. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 1_000;

export function runSubmissions(term: Term, options: SubmissionsOptions): Submissions {
  const { workers, log, metrics, onChange } = options;
  const submitter = { ...options, unavailableSince: new Map<string, number>() };
  const underWay = new Set<string>();
  const deferred = new Set<string>();
  const running = term.run(
    {
      name: "submission",
      watches: [],
      workers,
      async reconcile(key) {
        underWay.add(key);
        try {
          return await submitIfDue(submitter, key);
        } finally {
          underWay.delete(key);
          if (deferred.delete(key)) onChange(key);
        }
      },
    },
    {
      backOff: BACK_OFF,
      observer: metrics?.observeWork("sparkapplication-submissions", workers),
      onFault: (key, error) =>
        log.warn("an application could not be reconciled", { application: key, error: messageOf(error) }),
    },
  );
  return {
    submit(key) {
      underWay.add(key);
      running.add(key);
    },
    defers(key) {
      if (!underWay.has(key)) return false;
      deferred.add(key);
      return true;
    },
  };
}

/**
 * Submits an application, if that is still due. The application is read again first. Otherwise a watch that is behind, or
 * an operator that was paused for a while, could repeat a run that has started or ended.
 */
async function submitIfDue(submitter: Submitter, key: string): Promise<ReconcileResult> {
  const { client, applications, viewer, submission, now } = submitter;
  const known = applications.get(key);
  if (known === undefined) return done;
  const record = await refresh(client, applications, readSparkApplication(known.object).application).catch(
    (error: unknown) => {
      // An unreachable API server says nothing about this submission: the time limit begins when it is reachable again.
      submitter.unavailableSince.delete(key);
      throw error;
    },
  );
  if (record === undefined) return done;
  const { application, faults } = readSparkApplication(record.object);
  const { action } = decide(await viewOf(viewer, application, {}));
  if (action?.kind !== "submit") {
    submitter.onChange(key);
    return done;
  }
  const startedAtMs = now();
  const attempt = await submitApplication(submission, application, faults, action.submissionId);
  const found = outcomeOf(submitter, key, attempt);
  if (found.kind !== "outcome") return found;
  const status = afterSubmission(
    application.status,
    {
      submissionId: action.submissionId,
      driverPodName: driverPodName(application),
      startedAtMs,
      endedAtMs: now(),
    },
    found.outcome,
  );
  const { state, errorMessage } = status.applicationState;
  const events = [...stateEvent(application.metadata.name, state, errorMessage), ...warningsOf(attempt)];
  return (await storeStatus(submitter, record, application, status, events)) ? done : againLater;
}

type Found = { readonly kind: "outcome"; readonly outcome: SubmissionOutcome } | ReconcileResult;

/** @returns when to try again, if nothing has to be recorded yet */
function outcomeOf(submitter: Submitter, key: string, attempt: Attempt): Found {
  const { unavailableSince, log, now } = submitter;
  if (attempt.kind === "done") {
    unavailableSince.delete(key);
    return { kind: "outcome", outcome: attempt.outcome };
  }
  if (attempt.kind === "occupied") return againAfter(LOOK_AGAIN_MS);
  const since = unavailableSince.get(key) ?? now();
  unavailableSince.set(key, since);
  log.warn("a submission could not be carried out yet", { application: key, error: messageOf(attempt.error) });
  if (now() - since < PATIENCE_MS) return againLater;
  unavailableSince.delete(key);
  const message = `failed to submit spark application: failed to run spark-submit: ${lastingFaultText(attempt.error)}`;
  return { kind: "outcome", outcome: { kind: "failed", message } };
}

/** A spec may cause thousands of notices. */
const MOST_NOTICES = 20;

function warningsOf(attempt: Attempt): readonly ApplicationEvent[] {
  const warnings = attempt.kind === "done" ? attempt.warnings : [];
  const more = warnings.length - MOST_NOTICES;
  const told = more > 0 ? [...warnings.slice(0, MOST_NOTICES), `and ${more} more notices`] : warnings;
  return told.map((text) => warning("SparkApplicationNotice", text));
}
