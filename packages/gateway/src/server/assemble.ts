import type { KubeObject } from "@kindling/kube-objects";
import type { Leave } from "@kindling/admission";
import { createEventRecorder, type EventRecorder, type Term } from "@kindling/controller";
import type { Dispatcher } from "../admission/dispatcher.ts";
import { Farewell } from "../admission/farewell.ts";
import { Applications, type ApplicationsContext } from "../views/applications/applications.ts";
import { CaPublisher } from "../controllers/ca-certificates/ca-publisher.ts";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { Door } from "../driver-api/door/door.ts";
import type { AssembleOptions } from "./assemble-options.ts";
import { holdDeletions } from "./hold-deletions.ts";
import { noteEnds } from "./note-ends.ts";
import { careForKeepers } from "./assemble-keepers.ts";
import { assembleDecisions } from "./assemble-decisions.ts";
import { EarlyExecutors } from "../controllers/early-executors/early-executors.ts";
import { ExecutorSteps } from "../controllers/executors/steps/executor-steps.ts";
import { departureOf } from "../admission/nodes-to-come/departure.ts";
import { WantedRoom } from "../controllers/keepers/wanted-room.ts";
import { LetGo } from "../cluster/let-go.ts";
import { DriverAuthenticator } from "../driver-api/identity/driver-authenticator.ts";
import { ReviewCache } from "../driver-api/identity/review-cache.ts";
import { SigningKeys, signingKeysOf } from "../driver-api/identity/signing-keys.ts";
import { tokenReviews } from "../driver-api/identity/token-reviews.ts";
import type { DriverService } from "../driver-api/while-leading.ts";
import type { Figures } from "../console/metrics/figures.ts";
import type { Overview } from "@kindling/gateway-client";
import { type RenewalOutcome, TokenRenewal } from "../controllers/token-renewal/token-renewal.ts";
import { podsWithoutNode } from "../controllers/pods-without-node/pods-without-node.ts";
import { ExecutorMaker, type ExecutorMakerOptions } from "../controllers/executors/executor-maker.ts";
import type { HeldDeletions } from "../controllers/held-deletions/held-deletions.ts";
import { EvictionGuard } from "../controllers/leaving-nodes/eviction-guard.ts";
import { healDrivers, healMemory } from "./assemble-memory.ts";
import { leavingNodes } from "../controllers/leaving-nodes/leaving-nodes.ts";
import { spotBalance } from "../controllers/spot-balance/spot-balance.ts";
import { orphanedExecutors } from "../controllers/orphans/orphaned-executors.ts";
import { driverService } from "../driver-api/routes/driver-service.ts";
import { DriverRestarts } from "../controllers/driver-restarts/driver-restarts.ts";
import type { GatewayContext } from "../driver-api/routes/gateway-context.ts";
import { takesRoom } from "../spark/spark-pod.ts";
import { PendingPods } from "../views/sets/pending-pods.ts";
import { orphanedSets } from "../controllers/orphans/orphaned-sets.ts";
import { SetScaler } from "../controllers/set-scale/set-scaler.ts";
import type { ClusterWatch } from "../cluster/cluster-watch.ts";
import { createView } from "../views/driver-resources.ts";
import { BodyLine } from "../driver-api/memory/body-line.ts";
import { KeptMemory } from "../views/memory/kept-memory.ts";
import { MadeObjects } from "../driver-api/objects/made-objects.ts";

/** Everything that serves drivers during a term, without the server. */
export interface Assembled {
  readonly service: DriverService;
  readonly figures: () => Figures;
  readonly overview: () => Overview;
  /** How many nodes of autoscalers run nothing. */
  readonly idleNodes: () => number;
  /** Reports a change that decisions may depend on. */
  changed(): void;
  /** Reports a change of the certificates for drivers. */
  authorityChanged(): void;
}

/** The gateway's name as the source of events. */
export const EVENT_SOURCE = "kindling-gateway";

/** Builds the parts that decide, create and answer during a term. Each part listens to the earlier ones. */
export function assemble(term: Term, options: AssembleOptions): Assembled {
  const { config, cluster, clusterRoom, setWatch, metrics, authority, steps } = options;
  const { memory, clock, random, log } = options;
  const { client } = term;
  const outside = { clock, random };
  const concurrency = config["executors.concurrency"];
  const events = createEventRecorder({ client, ...outside, log, component: EVENT_SOURCE });
  const shown: ApplicationsContext["shown"] = (application, pod) => healing.shown(application, pod);
  const isHeld = (uid: string): boolean => held?.has(uid) === true;
  const views = { memory: new KeptMemory(memory), shown, isHeld };
  const applications = new Applications(cluster, setWatch, { ...outside, ...views });
  term.onEnd(() => applications.stop());
  const held = holdDeletions(term, options);
  applications.subscribe({
    ended: ({ id, namespace }) => log.info("an application is over", { application: id, namespace }),
  });
  const nodeEnds = noteEnds(options, applications);
  const maker = new ExecutorMaker(term, {
    ...{ ...outside, applications, concurrency },
    onOutcome: countOutcomes(options),
  });
  const setScaler = new SetScaler(term, { applications, log, concurrency });
  const pendingPods = new PendingPods(applications, outside);
  const publisher = new CaPublisher(term, { cluster, log, pem: () => authority.pem });
  const letGo = new LetGo({ client, isLeaving: (node) => isLeavingNode(clusterRoom.node(node)) });
  const wanted = new WantedRoom(clock, config["keepers.giveWayAfter"] * 1000);
  const dispatcher = assembleDecisions(term, options, {
    ...{ applications, events, nodeEnds, pendingPods, letGo },
    make: (application, entry) => maker.make(application, entry),
    scale: (application) => setScaler.look(application),
    beforeStart: (driver) => publisher.published(driver),
    onPlanned: (waits) => wanted.note(waits),
  });
  const healing = healMemory(term, options, { applications, events, letGo, dispatcher });
  takeAwayOrphans(term, options, applications);
  giveUpWithoutNode(term, options, events);
  leaveNodes(term, options, { events, dispatcher, letGo });
  careForKeepers(term, options, wanted);
  restartDrivers(term, options, { events, dispatcher, held });
  renewTokens(term, options, events);
  const executorSteps = new ExecutorSteps(client, steps);
  const limits = { most: config["executors.perApplication"], images: config["executors.images"] };
  const early = new EarlyExecutors(term, {
    ...{ clock, log, cluster, applications, executorSteps, limits, healing },
    onWaiting: () => dispatcher.changed(),
    make: (application, entry) => maker.make(application, entry),
    onEnd: (outcome) => metrics.early.inc({ outcome }),
  });
  const drivers = (): KubeObject[] => driversOf(applications, cluster);
  const context: GatewayContext = {
    ...{ clock, client, applications, admission: dispatcher, maker, executorSteps, early, limits, healing },
    door: new Door({ client, cluster, applications }),
    mostWatches: config["watches.perApplication"],
    mostClaims: config["objects.claimsPerApplication"],
    bodyLimits: bodyLimitsOf(config),
    bodies: new BodyLine(memory.bodies, clock),
    ...{ letGo, held },
    made: new MadeObjects({ client, applications, limits: config, drivers }),
  };
  // Sets of executors from before this term need decisions, too.
  applications.adoptSets();
  dispatcher.changed();
  return {
    service: serviceOf(term, options, context),
    figures: () => ({
      applications: applications.size,
      waiting: dispatcher.waiting,
      beingMade: maker.size,
      waitingForQuota: maker.waitingForQuota,
    }),
    overview: () => dispatcher.overview(),
    idleNodes: () => clusterRoom.idleNodes((node) => cluster.podsOn(node).some(takesRoom)),
    changed: () => dispatcher.changed(),
    authorityChanged: () => publisher.renew(),
  };
}

/** Renews the delegation tokens of drivers, if the gateway may. */
function renewTokens(
  term: Term,
  { clock, log, cluster, metrics, tokenRenewer }: AssembleOptions,
  events: EventRecorder,
): void {
  if (tokenRenewer === undefined) return;
  const onOutcome = (outcome: RenewalOutcome): void => metrics.tokenRenewals.inc({ outcome });
  term.run(new TokenRenewal(term, { clock, log, events, cluster, renewer: tokenRenewer, onOutcome }).controller);
}

/** Deletes executors and sets whose driver is gone. */
function takeAwayOrphans(term: Term, options: AssembleOptions, applications: Applications): void {
  const { config, clock, log, auditLog, cluster, metrics, setWatch } = options;
  const { client } = term;
  const graceMs = config["executors.orphanGrace"] * 1000;
  const onReaped = (): void => metrics.reaped.inc();
  for (const { controller, key, intervalMs } of [
    orphanedExecutors(term, { clock, log, auditLog, cluster, applications, graceMs, onReaped }),
    orphanedSets({ client, clock, log, auditLog, cluster, sets: setWatch, graceMs }),
  ])
    term.run(controller).addAfter(key, intervalMs);
}

interface RestartParts {
  readonly events: EventRecorder;
  readonly dispatcher: Dispatcher;
  readonly held: HeldDeletions | undefined;
}

/** Starts drivers again that have ended, with more memory if they had too little. */
function restartDrivers(term: Term, options: AssembleOptions, { events, dispatcher, held }: RestartParts): void {
  const { cluster, clock, log, auditLog, metrics } = options;
  const onRestarted = (): void => metrics.driversRestarted.inc();
  const memory = healDrivers(term, options, dispatcher);
  new DriverRestarts(term, { cluster, clock, events, log, auditLog, memory, held, onRestarted }).run();
}

/** Gives up executors for which no node comes, where nodes are expected. */
function giveUpWithoutNode(term: Term, options: AssembleOptions, events: EventRecorder): void {
  const { config, clock, log, auditLog, cluster, clusterRoom, metrics } = options;
  if (config.capacity.kind !== "auto") return;
  const { shapes } = clusterRoom;
  const controller = podsWithoutNode(term, {
    ...{ clock, log, auditLog, events, cluster, timeoutMs: config["capacity.nodeTimeout"] * 1000 },
    shapeOf: (pod) => shapes.of(pod),
    mayNodeCome: (pod) => clusterRoom.isNodeComing(pod) || (clusterRoom.classesFor(pod) ?? []).length > 0,
    onNoNode: (pod) => clusterRoom.noNodeCame(pod),
    onGivenUp: () => metrics.withoutNode.inc(),
  });
  term.run(controller);
}

/** An application may lose several executors one after the other, and gets others for them in a moment. */
const SPOT_PATIENCE_MS = 60_000;

interface LeaveNodesParts {
  readonly events: EventRecorder;
  readonly dispatcher: Dispatcher;
  readonly letGo: LetGo;
}

/** Asks executors to leave whose node is announced to go, or whose kind of node has too many of them. */
function leaveNodes(
  term: Term,
  { config, clock, cluster, clusterRoom, metrics, log, auditLog }: AssembleOptions,
  { events, dispatcher, letGo }: LeaveNodesParts,
): void {
  const { client } = term;
  const farewell = (onAsked: () => void): Farewell =>
    new Farewell({
      ...{ client, events, log, auditLog, letGo, graceSeconds: config["queues.preemptionGrace"], onAsked },
      // It is asked again.
      onFailure: () => undefined,
    });
  const { facts } = dispatcher;
  const leaveOf = (executor: KubeObject): Leave => facts.leaveOf(executor);
  const leaving = leavingNodes({
    ...{ cluster, nodes: clusterRoom.nodeNames, leaveOf, farewell: farewell(() => metrics.leftNodes.inc()) },
    node: (name) => clusterRoom.node(name),
    ...{ clock, guard: new EvictionGuard(client, log) },
  });
  term.run(leaving);
  const balance = spotBalance({
    ...{ clock, cluster, leaveOf, farewell: farewell(() => undefined), patienceMs: SPOT_PATIENCE_MS },
    wishOf: (driver) => facts.spotWishOf(driver),
    couldMove: (executor) => facts.capacityTypes.couldHaveOther(executor),
  });
  term.run(balance);
}

function isLeavingNode(node: KubeObject | undefined): boolean {
  return node !== undefined && departureOf(node) !== undefined;
}

function countOutcomes({ metrics, clock, log, auditLog }: AssembleOptions): ExecutorMakerOptions["onOutcome"] {
  return (outcome, { id, namespace }, { name, created }, message) => {
    metrics.attempts.inc({ outcome });
    if (outcome === "done") {
      const object = { namespace, application: id, resource: "pods", name };
      auditLog.write({ verb: "admit", decision: "allow", reason: "its queue has room for it", object });
    }
    if (outcome === "done") metrics.madeAfter.observe(Math.max(0, clock.now() - Date.parse(created)) / 1000);
    else log.info("an executor is not made", { outcome, application: id, namespace, name, reason: message });
  };
}

function bodyLimitsOf(config: GatewayConfig): GatewayContext["bodyLimits"] {
  const values = config["objects.values"];
  return {
    configMap: { bytes: config["objects.configMapSize"], values },
    other: { bytes: config["objects.size"], values },
  };
}

// At most thousands of drivers run at the same time.
const MOST_REVIEWS_KEPT = 10_000;

function serviceOf({ client }: Term, options: AssembleOptions, context: GatewayContext): DriverService {
  const { config, cluster, connections, metrics, auditLog, clock, random } = options;
  const audiences = config["auth.audiences"];
  const reviews = new ReviewCache(tokenReviews(client, audiences), {
    ...{ clock, random },
    seconds: config["auth.cache"],
    most: MOST_REVIEWS_KEPT,
    mostOfPod: config["auth.reviews"],
    strangersAtOnce: config["limits.reviews"],
    failuresPerSecond: config["limits.failedReviews"],
  });
  const keys = new SigningKeys({ clock, fetchKeys: signingKeysOf(client) });
  return driverService({
    context,
    authenticator: new DriverAuthenticator({ reviews, keys, cluster, audiences, clock, connections }),
    connections,
    anyView: createView({ clock, random }),
    ...{ metrics, auditLog, random },
  });
}

/** The pods of all running drivers: those that have sent a request already, and those that will. */
function driversOf(applications: Applications, cluster: ClusterWatch): KubeObject[] {
  const asking = [...applications.all()].map(({ driver }) => driver);
  return [
    ...asking,
    ...cluster.gatewayDrivers().filter(({ metadata: { uid } }) => applications.get(uid) === undefined),
  ];
}
