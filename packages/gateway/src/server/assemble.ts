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
import { gatewayMetrics, type Metrics } from "../metrics/metrics.ts";
import type { Overview } from "../overview/overview.ts";
import { plainOverview } from "../overview/plain-overview.ts";
import { ExecutorMaker } from "../pods/executor-maker.ts";
import { OrphanReaper } from "../pods/orphan-reaper.ts";
import type { GatewayContext } from "../routes/gateway-context.ts";
import { takeAwaySetOf } from "../sets/own-set.ts";
import { ClusterWatch } from "../upstream/cluster-watch.ts";
import { takeAway } from "../upstream/take-away.ts";
import { UPSTREAM } from "../upstream/upstream-types.ts";
import type { Log } from "../log/json-log.ts";
import { isOfSet } from "../views/marks.ts";

export interface AssembleOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly admission: Admission;
  readonly log: Log;
}

/** A gateway without its servers. */
export interface Assembled {
  readonly cluster: ClusterWatch;
  readonly metrics: Metrics;
  readonly context: GatewayContext;
  readonly authenticator: DriverAuthenticator;
  readonly overview: () => Overview;
  stop(): Promise<void>;
}

// Drivers that run at the same time are thousands at most.
const MOST_REVIEWS_KEPT = 10_000;

/** Puts the parts of a gateway together; it follows the cluster from then on. */
export function assemble({ config, client, admission, clock, random, log }: AssembleOptions): Assembled {
  const namespaces = config["cluster.namespaces"];
  const audiences = config["auth.audiences"];
  const cluster = new ClusterWatch({
    client,
    namespaces: namespaces.length === 0 ? undefined : namespaces,
    clock,
    onFault(kind, error) {
      metrics.upstreamFaults.inc({ kind });
      log.warn("a watch of the cluster broke", { kind, error: error.message });
    },
  });
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
  const metrics = gatewayMetrics(() => ({
    applications: applications.size,
    waiting: waitingRoom.size,
    beingMade: maker.size,
    waitingForQuota: maker.waitingForQuota,
  }));
  const reaper = new OrphanReaper({
    clock,
    graceMs: config["executors.orphanGrace"] * 1000,
    pods: () => cluster.pods(),
    isCurrent: (namespace) => cluster.isCurrent(namespace),
    async reap(executor: KubeObject) {
      const { name, namespace } = executor.metadata;
      try {
        if (isOfSet(executor)) await takeAwaySetOf(client, executor);
        else await takeAway(client, UPSTREAM.pods, executor);
        metrics.reaped.inc();
        log.info("an executor without a driver was deleted", { name, namespace });
      } catch (error) {
        // It is tried again.
        log.warn("an executor without a driver cannot be deleted", { name, namespace, error: String(error) });
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
  return {
    cluster,
    metrics,
    context: {
      clock,
      client,
      applications,
      waitingRoom,
      maker,
      limits: { most: config["executors.perApplication"], images: config["executors.images"] },
      mostWatches: config["watches.perApplication"],
    },
    authenticator: new DriverAuthenticator({ reviews, cluster, audiences, clock }),
    overview: () => plainOverview(applications.all(), clock.now()),
    async stop() {
      reaper.stop();
      gates.stop();
      await maker.stop();
      await cluster.stop();
    },
  };
}
