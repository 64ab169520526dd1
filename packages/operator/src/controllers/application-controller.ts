import { messageOf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { FindInstallation } from "@kindling/submit";
import { diagnoseRun } from "../act/diagnose-run.ts";
import { createEventRecorder } from "../act/record-events.ts";
import type { SparkApplication } from "../api/v1beta2/spark-application.ts";
import type { SparkApplicationStatus } from "../api/v1beta2/status.ts";
import type { OperatorSettings } from "../flags/operator-settings.ts";
import { followGateway } from "../gateway/follow-gateway.ts";
import type { OperatorMetrics } from "../metrics/operator-metrics.ts";
import type { PodRecord } from "../pods/pod-record.ts";
import { recordKey } from "../watch/record-store.ts";
import type { ApplicationStores } from "../watch/application-stores.ts";
import type { Viewer } from "./application-view.ts";
import { createExecutorWritePace } from "./executor-write-pace.ts";
import { startLanes, type Lanes } from "./lanes.ts";
import { look } from "./look.ts";
import { submitIfDue } from "./submission-lane.ts";
import { createSubmittedSpecs } from "./submitted-specs.ts";
import { createSurrounder } from "./surrounder.ts";

export interface ApplicationControllerOptions {
  /** Writes only while this process may act. */
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly settings: OperatorSettings;
  readonly installations: FindInstallation;
  readonly stores: ApplicationStores;
  readonly serves: (namespace: string) => boolean;
  readonly log: Log;
  readonly metrics: OperatorMetrics | undefined;
}

export interface ApplicationController {
  readonly lanes: Lanes;
  /** Something of an application has changed. */
  changed(key: string): void;
  /** Something around an application has changed: a service or an ingress. */
  surroundingsChanged(key: string): void;
  /** An application is there no more. */
  gone(uid: string): void;
  stop(): Promise<void>;
}

/** States are looked at quickly, so few at a time are enough. */
const STATE_WORKERS = 16;

/** Acts on all applications that are served, until it is stopped. */
export function startApplicationController(options: ApplicationControllerOptions): ApplicationController {
  const { client, outside, settings, installations, stores, serves, log, metrics } = options;
  const { clock, env, random } = outside;
  const now = (): number => clock.now();
  const submissions = Math.max(settings.submissions, settings.controllerThreads);
  const events = createEventRecorder({ client, clock, random, log, component: "spark-application-controller" });
  const submittedSpecs = createSubmittedSpecs();
  const pace = createExecutorWritePace(now);
  const surrounder = createSurrounder({ client, clock, settings, log, onKnown: (key) => lanes.add(key) });
  const mostTracked = settings.maxTrackedExecutorPerApp;
  const gateway =
    settings.gateway &&
    followGateway({
      place: settings.gateway,
      ...{ client, clock, env, stores, serves, installations, mostTracked, log },
      onChange: (key) => lanes.add(key),
    });
  const viewer: Viewer = {
    ...{ client, stores, submittedSpecs, now, mostTracked },
    promised: (application) => gateway?.promised(application) ?? [],
    rules: {
      driverPodCreationGracePeriodMs: settings.driverPodCreationGracePeriodMs,
      defaultTimeToLiveSeconds: settings.defaultTimeToLiveSeconds,
      partialRestart: settings.featureGates.has("PartialRestart"),
    },
  };
  const shared = {
    ...{ client, stores, events, viewer, now, log },
    onWritten(application: SparkApplication, status: SparkApplicationStatus) {
      metrics?.written(application, status, now());
      logState(log, application, status);
    },
    lookAgainAfter: (key: string, milliseconds: number) => lanes.addAfter(key, milliseconds),
    retry: (key: string) => lanes.retry(key),
  };
  const diagnose = (driver: PodRecord): Promise<string | undefined> => diagnoseRun(client, outside, driver);
  const looker = { ...shared, surrounder, pace, diagnose, hasBudgets: settings.enableDriverPdb };
  const submitter = {
    ...shared,
    submission: { client, outside, settings, installations },
    unavailableSince: new Map<string, number>(),
  };
  const lanes = startLanes({
    clock,
    workers: { states: STATE_WORKERS, submissions },
    observers: metrics && {
      states: metrics.observeWork("sparkapplication", STATE_WORKERS),
      submissions: metrics.observeWork("sparkapplication-submissions", submissions),
    },
    look: (key) => (isServed(key) ? look(looker, key) : Promise.resolve("done")),
    submit: (key) => submitIfDue(submitter, key),
    onFault: (key, error) =>
      log.warn("an application could not be looked after", { application: key, error: messageOf(error) }),
  });

  function isServed(key: string): boolean {
    return serves(key.slice(0, key.indexOf("/")));
  }

  for (const record of stores.applications.all()) lanes.add(recordKey(record));
  return {
    lanes,
    changed: (key) => lanes.add(key),
    surroundingsChanged(key) {
      const uid = stores.applications.get(key)?.uid;
      if (uid !== undefined) surrounder.forget(uid);
      lanes.add(key);
    },
    gone(uid) {
      submittedSpecs.forget(uid);
      pace.forget(uid);
      surrounder.forget(uid);
    },
    async stop() {
      await Promise.all([lanes.stop(), surrounder.stop(), gateway?.stop()]);
      await events.flush();
    },
  };
}

/** A line for each state that an application comes into, as stock's operator has them; executors are left to events. */
function logState(log: Log, { metadata, status: before }: SparkApplication, status: SparkApplicationStatus): void {
  const { state, errorMessage } = status.applicationState;
  if (state === before.applicationState.state && status.submissionID === before.submissionID) return;
  log.info("an application has come into a state", {
    application: recordKey(metadata),
    state,
    before: before.applicationState.state,
    ...(errorMessage !== undefined && errorMessage !== "" && { error: errorMessage }),
  });
}
