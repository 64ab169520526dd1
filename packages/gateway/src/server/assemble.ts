import type { KubeObject } from "@kindling/api-server";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Admission } from "../admission/admission.ts";
import { DriverGates } from "../admission/driver-gates.ts";
import { WaitingRoom } from "../admission/waiting-room.ts";
import { Applications } from "../applications/applications.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { DriverAuthenticator } from "../identity/driver-authenticator.ts";
import { ReviewCache } from "../identity/review-cache.ts";
import { tokenReviews } from "../identity/token-reviews.ts";
import type { DriverService } from "../leader/while-leading.ts";
import type { Figures, Metrics } from "../metrics/metrics.ts";
import type { Overview } from "../overview/overview.ts";
import { plainOverview } from "../overview/plain-overview.ts";
import { ExecutorMaker } from "../pods/executor-maker.ts";
import { OrphanReaper } from "../pods/orphan-reaper.ts";
import { driverService } from "../routes/driver-service.ts";
import { owningPods } from "../spark/spark-pod.ts";
import type { GatewayContext } from "../routes/gateway-context.ts";
import { takeAwaySetOf } from "../sets/own-set.ts";
import type { ClusterWatch } from "../upstream/cluster-watch.ts";
import { takeAway } from "../upstream/take-away.ts";
import { UPSTREAM } from "../upstream/upstream-types.ts";
import { createView } from "../views/driver-resources.ts";
import type { Log } from "../log/json-log.ts";
import { isOfSet } from "../views/marks.ts";

export interface AssembleOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  /** Goes on when what is put together here ends. */
  readonly cluster: ClusterWatch;
  readonly metrics: Metrics;
  readonly admission: Admission;
  readonly log: Log;
}

/** All that serves drivers, without a server. */
export interface Assembled {
  readonly service: DriverService;
  readonly figures: () => Figures;
  readonly overview: () => Overview;
  stop(): Promise<void>;
}

// Drivers that run at the same time are thousands at most.
const MOST_REVIEWS_KEPT = 10_000;

/** Puts together what decides, makes and answers; what it knows of the cluster is followed by others. */
export function assemble(options: AssembleOptions): Assembled {
  const { config, client, cluster, metrics, admission, clock, random, log } = options;
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
  const applications = new Applications(
    cluster,
    { clock, random },
    {
      roomMade(namespace) {
        maker.roomMade(namespace);
        waitingRoom.decideSoon();
      },
      ended({ id, namespace }) {
        log.info("an application is over", { application: id, namespace });
        waitingRoom.decideSoon();
      },
    },
  );
  const waitingRoom = new WaitingRoom({
    admission,
    admitted: (application) => applications.get(application)?.admittedExecutors ?? 0,
    make: (application, entry) => maker.make(application, entry),
  });
  const reaper = new OrphanReaper({
    clock,
    graceMs: config["executors.orphanGrace"] * 1000,
    pods: () => cluster.pods(),
    hasClaim: (executor, claim) =>
      cluster.claim(executor.metadata.namespace ?? "", claim) !== undefined ||
      owningPods(executor).some((uid) => applications.get(uid)?.claims.get(claim) !== undefined),
    isCurrent: (namespace) => cluster.isCurrent(namespace),
    async reap(executor: KubeObject) {
      const { name, namespace } = executor.metadata;
      try {
        if (isOfSet(executor)) await takeAwaySetOf(client, executor);
        else await takeAway(client, UPSTREAM.pods, executor);
        metrics.reaped.inc();
        log.info("an executor without its driver or its claims was deleted", { name, namespace });
      } catch (error) {
        // It is tried again.
        log.warn("an executor without its driver or its claims cannot be deleted", {
          name,
          namespace,
          error: String(error),
        });
      }
    },
  });
  const gates = new DriverGates({ client, cluster, clock, log });
  const reviews = new ReviewCache(tokenReviews(client, audiences), {
    clock,
    seconds: config["auth.cache"],
    most: MOST_REVIEWS_KEPT,
    mostAtOnce: config["auth.reviews"],
  });
  const context: GatewayContext = {
    clock,
    client,
    applications,
    waitingRoom,
    maker,
    limits: { most: config["executors.perApplication"], images: config["executors.images"] },
    mostWatches: config["watches.perApplication"],
  };
  return {
    service: driverService({
      context,
      authenticator: new DriverAuthenticator({ reviews, cluster, audiences, clock }),
      anyView: createView({ clock, random }),
      metrics,
    }),
    figures: () => ({
      applications: applications.size,
      waiting: waitingRoom.size,
      beingMade: maker.size,
      waitingForQuota: maker.waitingForQuota,
    }),
    overview: () => plainOverview(applications.all(), clock.now()),
    async stop() {
      reaper.stop();
      gates.stop();
      cluster.listener = undefined;
      await maker.stop();
    },
  };
}
