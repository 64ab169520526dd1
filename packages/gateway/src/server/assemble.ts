import type { KubeObject } from "@kindling/api-server";
import type { Step } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { assembleAdmission } from "../admission/assemble-admission.ts";
import type { Dispatcher, Policy } from "../admission/dispatcher.ts";
import { Applications } from "../applications/applications.ts";
import type { Authority } from "../authority/authority.ts";
import { CaPublisher } from "../authority/ca-publisher.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import type { DriverConnections } from "../connections/driver-connections.ts";
import { NodeEnds } from "../demand/node-ends.ts";
import type { Namespaces } from "../demand/namespaces.ts";
import type { Surroundings } from "../demand/surroundings.ts";
import { Door } from "../door/door.ts";
import { EarlyExecutors } from "../early/early-executors.ts";
import { ExecutorSteps } from "../executor-steps/executor-steps.ts";
import { isHeld } from "../executor-steps/own-objects.ts";
import { DriverAuthenticator } from "../identity/driver-authenticator.ts";
import { ReviewCache } from "../identity/review-cache.ts";
import { SigningKeys, signingKeysOf } from "../identity/signing-keys.ts";
import { tokenReviews } from "../identity/token-reviews.ts";
import type { DriverService } from "../leader/while-leading.ts";
import type { Figures, Metrics } from "../metrics/metrics.ts";
import type { Overview } from "../overview/overview.ts";
import { ExecutorMaker } from "../pods/executor-maker.ts";
import { OrphanReaper } from "../pods/orphan-reaper.ts";
import { driverService } from "../routes/driver-service.ts";
import { owningPods } from "../spark/spark-pod.ts";
import { driverEnd } from "../restarts/driver-end.ts";
import { DriverRestarts } from "../restarts/driver-restarts.ts";
import type { GatewayContext } from "../routes/gateway-context.ts";
import { takeAwayExecutor } from "../sets/take-away-executor.ts";
import { PendingPods } from "../sets/pending-pods.ts";
import { SetReaper } from "../sets/set-reaper.ts";
import { SetScaler } from "../sets/set-scaler.ts";
import type { ClusterWatch } from "../upstream/cluster-watch.ts";
import type { SetWatch } from "../upstream/set-watch.ts";
import { createView } from "../views/driver-resources.ts";
import { BodyLine } from "../memory/body-line.ts";
import { KeptMemory } from "../memory/kept-memory.ts";
import type { MemoryPlan } from "../memory/memory-plan.ts";
import { MadeObjects } from "../objects/made-objects.ts";
import type { Queues } from "../queues/queues-file.ts";
import type { Log } from "@kindling/service";

export interface AssembleOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  /** Goes on when what is put together here ends. */
  readonly cluster: ClusterWatch;
  readonly setWatch: SetWatch;
  readonly metrics: Metrics;
  /** These go on as well. */
  readonly surroundings: Surroundings;
  readonly queues: Queues;
  readonly namespaces: Namespaces;
  readonly authority: Authority;
  readonly connections: DriverConnections;
  /** Undefined: `planAdmission`. */
  readonly policy: Policy | undefined;
  readonly steps: readonly Step[];
  readonly memory: MemoryPlan;
  readonly log: Log;
}

/** All that serves drivers, without a server. */
export interface Assembled {
  readonly service: DriverService;
  readonly figures: () => Figures;
  readonly overview: () => Overview;
  /** Something has changed that decisions may go by. */
  changed(): void;
  /** There are other certificates for drivers. */
  authorityChanged(): void;
  stop(): Promise<void>;
}

// Drivers that run at the same time are thousands at most.
const MOST_REVIEWS_KEPT = 10_000;

/** Puts together what decides, makes and answers; what it knows of the cluster is followed by others. */
export function assemble(options: AssembleOptions): Assembled {
  const { config, client, cluster, setWatch, metrics, surroundings, namespaces, queues, authority, connections } =
    options;
  const { memory, policy, steps, clock, random, log } = options;
  const audiences = config["auth.audiences"];
  const maker = new ExecutorMaker({
    client,
    clock,
    random,
    concurrency: config["executors.concurrency"],
    onOutcome(outcome, { id, namespace }, { name, created }, message) {
      metrics.attempts.inc({ outcome });
      if (outcome === "done") metrics.madeAfter.observe(Math.max(0, clock.now() - Date.parse(created)) / 1000);
      else log.info("an executor is not made", { outcome, application: id, namespace, name, reason: message });
    },
  });
  const nodeEnds = new NodeEnds(clock);
  const pendingPods = new PendingPods({ clock, random });
  const applications: Applications = new Applications(
    cluster,
    setWatch,
    { clock, random, memory: new KeptMemory(memory) },
    {
      roomMade(namespace) {
        maker.roomMade(namespace);
      },
      executorEnded: (executor) => nodeEnds.add(executor),
      driverSeen(driver) {
        early.driverSeen(driver);
      },
      ended(application) {
        const { id, namespace, driverUid } = application;
        early.ended(application);
        made.ended(driverUid);
        log.info("an application is over", { application: id, namespace });
      },
      setsChanged(application) {
        setScaler.look(application);
        pendingPods.look(application);
        dispatcher.changed();
      },
      changed() {
        publisher.look();
        dispatcher.changed();
      },
    },
  );
  const setScaler: SetScaler = new SetScaler({
    ...{ client, clock, random, log, applications },
    concurrency: config["executors.concurrency"],
  });
  const publisher = new CaPublisher({
    ...{ client, clock, log },
    pem: () => authority.pem,
    drivers: () => cluster.gatewayDrivers(),
  });
  const dispatcher: Dispatcher = assembleAdmission({
    ...{ config, client, clock, log, cluster, applications, maker, surroundings, nodeEnds, queues, metrics, policy },
    ...{ namespaces, setScaler, pendingPods, areSetsKnown: () => setWatch.isSynced },
    beforeStart: (driver) => publisher.published(driver),
  });
  const reaper = new OrphanReaper({
    clock,
    graceMs: config["executors.orphanGrace"] * 1000,
    pods: () => cluster.pods(),
    hasClaim: (executor, claim) =>
      cluster.claim(executor.metadata.namespace ?? "", claim) !== undefined ||
      owningPods(executor).some(({ uid }) => applications.get(uid)?.claims.get(claim) !== undefined),
    isForgotten: (executor) => isHeld(executor) && !applications.isCompleting(executor),
    endOf: (driver) => driverEnd(driver, clock.now())?.at,
    isCurrent: (namespace) => cluster.isCurrent(namespace),
    async reap(executor: KubeObject) {
      const { name, namespace } = executor.metadata;
      try {
        await takeAwayExecutor(client, executor);
        metrics.reaped.inc();
        log.info("an executor without its driver or its objects was deleted", { name, namespace });
      } catch (error) {
        // It is tried again.
        log.warn("an executor without its driver or its objects cannot be deleted", {
          name,
          namespace,
          error: String(error),
        });
      }
    },
  });
  const setReaper = new SetReaper({
    ...{ client, clock, log, cluster, sets: setWatch },
    graceMs: config["executors.orphanGrace"] * 1000,
  });
  const onRestarted = (): void => metrics.driversRestarted.inc();
  const restarts = new DriverRestarts({ client, cluster, clock, random, log, onRestarted });
  const reviews = new ReviewCache(tokenReviews(client, audiences), {
    ...{ clock, random },
    seconds: config["auth.cache"],
    most: MOST_REVIEWS_KEPT,
    mostOfPod: config["auth.reviews"],
    strangersAtOnce: config["limits.reviews"],
    failuresPerSecond: config["limits.failedReviews"],
  });
  const keys = new SigningKeys({ clock, fetchKeys: signingKeysOf(client) });
  const executorSteps = new ExecutorSteps(client, steps);
  const limits = { most: config["executors.perApplication"], images: config["executors.images"] };
  const early: EarlyExecutors = new EarlyExecutors({
    ...{ client, clock, log, cluster, applications, executorSteps, limits },
    onWaiting: () => dispatcher.changed(),
    make: (application, entry) => maker.make(application, entry),
    onEnd: (outcome) => metrics.early.inc({ outcome }),
  });
  const made: MadeObjects = new MadeObjects({ client, limits: config, drivers: () => drivers(applications, cluster) });
  const values = config["objects.values"];
  const context: GatewayContext = {
    clock,
    client,
    applications,
    admission: dispatcher,
    maker,
    door: new Door({ client, cluster, applications }),
    executorSteps,
    early,
    limits,
    mostWatches: config["watches.perApplication"],
    mostClaims: config["objects.claimsPerApplication"],
    bodyLimits: {
      configMap: { bytes: config["objects.configMapSize"], values },
      other: { bytes: config["objects.size"], values },
    },
    bodies: new BodyLine(memory.bodies, clock),
    made,
  };
  // What was there before is to be decided on, too.
  publisher.look();
  applications.adoptSets();
  for (const driver of cluster.gatewayDrivers()) early.driverSeen(driver);
  dispatcher.changed();
  return {
    service: driverService({
      context,
      authenticator: new DriverAuthenticator({ reviews, keys, cluster, audiences, clock, connections }),
      connections,
      anyView: createView({ clock, random }),
      metrics,
    }),
    figures: () => ({
      applications: applications.size,
      waiting: dispatcher.waiting,
      beingMade: maker.size,
      waitingForQuota: maker.waitingForQuota,
    }),
    overview: () => dispatcher.overview(),
    changed: () => dispatcher.changed(),
    authorityChanged: () => publisher.renew(),
    async stop() {
      reaper.stop();
      setReaper.stop();
      dispatcher.stop();
      early.stop();
      publisher.stop();
      cluster.listener = undefined;
      setWatch.listener = undefined;
      await restarts.stop();
      await setScaler.stop();
      await maker.stop();
      for (const application of applications.all()) application.stop();
    },
  };
}

/** The pods of all drivers that live: of those that have asked for something, and of those that will. */
function drivers(applications: Applications, cluster: ClusterWatch): KubeObject[] {
  const asking = [...applications.all()].map(({ driver }) => driver);
  return [
    ...asking,
    ...cluster.gatewayDrivers().filter(({ metadata: { uid } }) => applications.get(uid) === undefined),
  ];
}
