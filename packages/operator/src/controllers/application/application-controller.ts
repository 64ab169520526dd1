import { messageOf } from "@kindling/core-spec";
import {
  createEventRecorder,
  keyOf,
  done,
  type RunningController,
  type Term,
  watch,
  type Watch,
} from "@kindling/controller";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { cachedNamespaceLabels, type FindInstallation } from "@kindling/submit";
import type { SparkApplication, SparkApplicationStatus } from "@kindling/spark-application";
import { applicationKeyOf, type OperatorCaches } from "../../caches/operator-caches.ts";
import type { OperatorSettings } from "../../flags/operator-settings.ts";
import { followGateway } from "../../gateway/follow-gateway.ts";
import type { OperatorMetrics } from "../../metrics/operator-metrics.ts";
import { type DriverObjects, runDriverObjects } from "../driver-objects/driver-objects-controller.ts";
import { runSubmissions } from "../submission/submission-controller.ts";
import { keysIn } from "../../caches/served-namespaces.ts";
import type { OperatorAudit } from "../audit-operator.ts";
import { BACK_OFF } from "../back-off.ts";
import type { Viewer } from "./application-view.ts";
import { diagnoseRun } from "./diagnose-run.ts";
import { createExecutorWritePace } from "./executor-write-pace.ts";
import { reconcileApplication } from "./reconcile-application.ts";
import { createSubmittedSpecs } from "./submitted-specs.ts";

export interface ApplicationsOptions {
  readonly outside: Outside;
  readonly settings: OperatorSettings;
  readonly installations: FindInstallation;
  readonly caches: OperatorCaches;
  readonly log: Log;
  readonly audit: OperatorAudit;
  readonly metrics: OperatorMetrics | undefined;
}

/** The check of a state is quick, so few at a time are enough. */
const WORKERS = 16;

/**
 * Keeps the states of all served applications. Two more controllers work behind it: one for submissions, and one for the
 * services, ingresses and budgets of drivers.
 */
export function runApplications(term: Term, options: ApplicationsOptions): void {
  const { outside, settings, installations, caches, log, audit, metrics } = options;
  const { client } = term;
  const { clock, env, random } = outside;
  const { applications, namespaces } = caches;
  const now = (): number => clock.now();
  const look = (key: string): void => running.add(key);
  const events = createEventRecorder({ client, clock, random, log, component: "spark-application-controller" });
  term.onEnd(() => events.flush());
  const submittedSpecs = createSubmittedSpecs();
  const pace = createExecutorWritePace(now);
  const driverObjects = runDriverObjects(term, { settings, log, onKnown: look });
  const mostTracked = settings.maxTrackedExecutorPerApp;
  const gateway =
    settings.gateway &&
    followGateway({
      place: settings.gateway,
      ...{ client, clock, env, caches, installations, mostTracked, log, onChange: look },
    });
  term.onEnd(() => gateway?.stop());
  const viewer: Viewer = {
    ...{ client, caches, submittedSpecs, now, mostTracked },
    promised: (application) => gateway?.promised(application) ?? [],
    rules: {
      driverPodCreationGracePeriodMs: settings.driverPodCreationGracePeriodMs,
      defaultTimeToLiveSeconds: settings.defaultTimeToLiveSeconds,
      partialRestart: settings.featureGates.has("PartialRestart"),
    },
  };
  const shared = {
    ...{ client, applications, events, viewer, now, log, audit },
    onWritten(application: SparkApplication, status: SparkApplicationStatus) {
      metrics?.written(application, status, now());
      logState(log, application, status);
      audit.entered(application, status);
    },
  };
  const submissions = runSubmissions(term, {
    ...{ ...shared, metrics, onChange: look },
    workers: Math.max(settings.submissions, settings.controllerThreads),
    submission: { client, outside, settings, installations, namespaceLabels: cachedNamespaceLabels({ clock }) },
  });
  const reconciler = {
    ...{ ...shared, driverObjects, pace, hasBudgets: settings.enableDriverPdb },
    submit: (key: string) => submissions.submit(key),
    diagnose: (driver: Parameters<typeof diagnoseRun>[2]) => diagnoseRun(client, outside, driver),
  };
  const forget = (uid: string): void => [submittedSpecs, pace, driverObjects].forEach((one) => one.forget(uid));
  const running: RunningController = term.run(
    {
      name: "application",
      workers: WORKERS,
      watches: [
        watch(applications, (record) => [keyOf(record)]),
        watch(caches.pods, (pod) => [applicationKeyOf(pod)]),
        namespaces.watch((namespace) => keysIn(applications.values(), namespace)),
        goneApplications(caches, forget),
        objectsBesideDrivers(caches, driverObjects),
      ],
      async reconcile(key) {
        if (!namespaces.serves(key.slice(0, key.indexOf("/"))) || submissions.defers(key)) return done;
        return await reconcileApplication(reconciler, key);
      },
    },
    {
      backOff: BACK_OFF,
      observer: metrics?.observeWork("sparkapplication", WORKERS),
      onFault: (key, error) =>
        log.warn("an application could not be reconciled", { application: key, error: messageOf(error) }),
    },
  );
}

/** Adds no keys: it makes others forget applications that are gone. */
function goneApplications({ applications }: OperatorCaches, forget: (uid: string) => void): Watch {
  return () =>
    applications.subscribe({
      changed(change) {
        if (change.type === "added") return;
        const { uid } = change.previous;
        if (change.type === "deleted" || change.record.uid !== uid) forget(uid);
      },
    });
}

/** After a change of a service or an ingress, the objects of that driver are checked again. */
function objectsBesideDrivers({ applications, owned }: OperatorCaches, driverObjects: DriverObjects): Watch {
  return (add) => {
    const ends = owned.map((cache) =>
      cache.subscribe({
        changed(change) {
          if (change.type === "added") return;
          const { ownerKey } = change.record;
          const uid = applications.get(ownerKey)?.uid;
          if (uid !== undefined) driverObjects.forget(uid);
          add(ownerKey);
        },
      }),
    );
    return () => ends.forEach((end) => end());
  };
}

/** Logs a line for each state that an application enters, as stock's operator does. Executors have events only. */
function logState(log: Log, { metadata, status: before }: SparkApplication, status: SparkApplicationStatus): void {
  const { state, errorMessage } = status.applicationState;
  if (state === before.applicationState.state && status.submissionID === before.submissionID) return;
  log.info("an application has entered a state", {
    application: keyOf(metadata),
    state,
    before: before.applicationState.state,
    ...(errorMessage !== undefined && errorMessage !== "" && { error: errorMessage }),
  });
}
