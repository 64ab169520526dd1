import { hostname } from "node:os";
import { ApiServer } from "@kindling/api-server";
import { createEventRecorder, createUndo, startManager, type Term } from "@kindling/controller";
import { messageOf, orderSteps, type Step } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { looksAtLabels } from "@kindling/admission";
import { type Outside, systemOutside } from "@kindling/outside";
import {
  adminServer,
  closeServer,
  followCertificate,
  jsonLog,
  listen,
  listening,
  type LogDestination,
  type MemoryParts,
  memoryParts,
  readCertificate,
  uriOf,
} from "@kindling/service";
import type { Policy } from "../admission/dispatcher.ts";
import { type Authority, followAuthority } from "../controllers/ca-certificates/authority.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { leaseOf } from "../config/leader-config.ts";
import { DriverConnections } from "../driver-api/connections/driver-connections.ts";
import { planMemory } from "../views/memory/memory-plan.ts";
import { whileLeading } from "../driver-api/while-leading.ts";
import { gatewayMetrics, NO_FIGURES } from "../console/metrics/metrics.ts";
import { registerQueueMetrics } from "../console/metrics/queue-metrics.ts";
import { keptOverview } from "../console/overview/kept-overview.ts";
import type { Overview } from "@kindling/gateway-client";
import { emptyOverview } from "./empty-overview.ts";
import { Namespaces } from "../admission/demand/namespaces.ts";
import { followQueues } from "../config/queues/follow-queues.ts";
import { ONE_QUEUE } from "../config/queues/queues-file.ts";
import { startPage } from "../console/page/start-page.ts";
import { apiServerNames } from "../cluster/api-server-names.ts";
import { createView } from "../views/driver-resources.ts";
import { assemble, type Assembled, EVENT_SOURCE } from "./assemble.ts";
import { watchCluster } from "./watch-cluster.ts";
import { watchSets } from "./watch-sets.ts";
import { watchSurroundings } from "./watch-surroundings.ts";

export interface GatewayOptions extends Partial<Pick<Outside, "clock" | "random">> {
  /** The destination of log lines. */
  readonly log: LogDestination;
  /** A client of the cluster with the gateway's own account. The caller closes it. */
  readonly client: KubeClient;
  /**
   * Decides which drivers start and which executors are created, and when; default: `planAdmission` of `@kindling/admission`.
   */
  readonly policy?: Policy;
  /** How much memory the gateway may use; default: the limits of this process. */
  readonly memory?: MemoryParts;
  /** Steps that applications may use for their executors, besides Kindling's own. */
  readonly steps?: readonly Step[];
}

const NO_FILES = { "tls.certFile": undefined, "tls.keyFile": undefined };

/** A gateway that serves drivers. */
export interface Gateway {
  /** Base URI for drivers, as reached from this machine. */
  readonly uri: string;
  /** Base URI of health checks and metrics, and of the page for people. */
  readonly adminUri: string;
  /** Resolves when the cluster has been listed once: drivers are answered from then on, if no other replica leads. */
  readonly ready: Promise<void>;
  /** The current state: queues, capacity, and which applications wait. */
  overview(): Overview;
  /** Ends watches properly, and finishes what is being created. Drivers continue with the next gateway. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway.
 *
 * @throws KindlingError if the configuration cannot be used, or if the steps cannot be put in order
 */
export async function startGateway(config: GatewayConfig, options: GatewayOptions): Promise<Gateway> {
  const { clock, random } = { ...systemOutside(), ...options };
  const { client, policy } = options;
  const steps = orderSteps([], options.steps ?? []);
  const log = jsonLog(options.log, clock, config["log.level"]);
  const tls = config["tls.plainHttp"] ? undefined : await readCertificate(config);
  let serving: Assembled | undefined;
  const metrics = gatewayMetrics(() => serving?.figures() ?? NO_FIGURES);
  const onChange = (): void => serving?.changed();
  let queues = ONE_QUEUE;
  const namespaces = new Namespaces({
    client,
    clock,
    random,
    log,
    isNeeded: () => looksAtLabels(queues.root),
    onChange,
  });
  const onQueues = (): void => {
    namespaces.look();
    onChange();
  };
  const events = createEventRecorder({ client, clock, random, log, component: EVENT_SOURCE });
  queues = await followQueues(config, {
    ...{ client, clock, events, log, onChange: onQueues },
    onReload: (outcome) => metrics.queueReloads.inc({ outcome }),
    onRefused: (isRefused) => metrics.queuesRefused.set(Number(isRefused)),
  });
  namespaces.look();
  const authority: Authority = await followAuthority(config, {
    ...{ clock, log },
    onChange: () => serving?.authorityChanged(),
  });
  const cluster = watchCluster({ config, client, clock, random, metrics, log });
  const setWatch = watchSets({ config, client, clock, random, metrics, log, onChange });
  const surroundings = watchSurroundings({ config, client, clock, random, log, onChange });
  const memory = planMemory(options.memory ?? memoryParts(), config);
  const connections = new DriverConnections({
    ...{ config, most: memory.connections, clock },
    onCut: (reason) => metrics.connectionsCut.inc({ reason }),
  });
  const server = new ApiServer(whileLeading(createView({ clock, random }), () => serving?.service));
  const begin = (term: Term): void => {
    const parts = assemble(term, {
      ...{ config, memory, cluster, setWatch, surroundings, namespaces, queues, authority, connections },
      ...{ metrics, policy, steps, clock, random, log },
    });
    serving = parts;
    // This comes first, so that drivers that are no longer served here find the leading replica.
    term.onEnd(() => {
      if (serving === parts) serving = undefined;
      server.endConnections();
    });
  };
  const current = (): Overview => serving?.overview() ?? emptyOverview(surroundings, queues, namespaces, clock.now());
  const overview = keptOverview(clock, current);
  registerQueueMetrics(metrics.registry, overview);
  const ofApiServer = apiServerNames(client.access, clock);
  const hosts = (): readonly string[] => [...config["admin.hosts"], ...ofApiServer()];
  const page = config["admin.page"] ? startPage({ clock, overview, hosts }) : undefined;
  let isStopping = false;
  const admin = adminServer({
    clock,
    registry: metrics.registry,
    pages: (request) => page?.routes(request),
    notReady() {
      if (isStopping) return "the gateway is stopping";
      if (!cluster.isSynced) return "the cluster has not been listed yet";
      return serving === undefined ? "another replica leads" : surroundings.missing;
    },
  });
  const undo = createUndo();
  undo.add(() => authority.close());
  undo.add(() => events.flush());
  undo.add(() => queues.close());
  undo.add(() => surroundings.stop());
  undo.add(() => namespaces.stop());
  undo.add(() => cluster.stop());
  undo.add(() => setWatch.stop());
  undo.add(() => page?.stop());
  try {
    const port = await listening(config, "listen", (host, wanted) =>
      server.listen({
        ...{ host, port: wanted, tls },
        headersTimeoutMs: config["limits.headersTimeout"] * 1000,
        attach: (own, handlers) => connections.attach(own, handlers),
      }),
    );
    undo.add(() => server.close().finally(() => connections.stop()));
    const identity = config["leader.identity"] ?? `${hostname()}_${process.pid}`;
    const manager = startManager({
      ...{ client, identity, clock, random, log, begin },
      lease: config["leader.election"] ? leaseOf(config) : undefined,
    });
    undo.add(() => manager.stop());
    const adminPort = await listening(config, "admin", (host, wanted) => listen(admin, host, wanted));
    // Closed last: until then it says why the gateway is not ready.
    undo.addLast(() => closeServer(admin));
    const watched = await followCertificate(tls === undefined ? NO_FILES : config, {
      clock,
      intervalSeconds: config["tls.reloadInterval"],
      onRenewed(renewed) {
        if (renewed !== undefined) server.renewCertificate(renewed);
        log.info("certificate read again");
      },
      onFault: (error) => log.error("changed files cannot be used", { error: messageOf(error) }),
    });
    undo.add(() => watched.close());
    const uri = uriOf(tls === undefined ? "http" : "https", config["listen.host"], port);
    const adminUri = uriOf("http", config["admin.host"], adminPort);
    log.info("serving", { uri, adminUri });
    const ready = Promise.all([cluster.synced(), setWatch.synced(), surroundings.synced()]).then(() =>
      log.info("the cluster has been listed"),
    );
    ready.catch(() => undefined);
    return {
      uri,
      adminUri,
      ready,
      overview: current,
      async stop() {
        isStopping = true;
        await undo.run();
      },
    };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
