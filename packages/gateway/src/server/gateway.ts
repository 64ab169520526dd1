import { ApiServer } from "@kindling/api-server";
import { createUndo, startManager, type Term } from "@kindling/controller";
import { orderSteps, type Step } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { type Outside, systemOutside } from "@kindling/outside";
import {
  closeServer,
  jsonLog,
  listen,
  listening,
  type LogDestination,
  type MemoryParts,
  memoryParts,
  openAuditLog,
  readCertificate,
  uriOf,
} from "@kindling/service";
import type { Policy } from "../admission/dispatcher.ts";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { DriverConnections } from "../driver-api/connections/driver-connections.ts";
import { planMemory } from "../views/memory/memory-plan.ts";
import { whileLeading } from "../driver-api/while-leading.ts";
import { Metrics } from "../console/metrics/metrics.ts";
import type { Overview } from "@kindling/gateway-client";
import { createView } from "../views/driver-resources.ts";
import { assemble } from "./assemble.ts";
import { startAdminConsole } from "./admin-console.ts";
import { CurrentTerm } from "./current-term.ts";
import { emptyOverview } from "./empty-overview.ts";
import { followOwnCertificate } from "./follow-own-certificate.ts";
import { leadershipOf } from "./leadership.ts";
import { openPagePort } from "./open-page-port.ts";
import { openDriverPort } from "./open-driver-port.ts";
import { startStandby, synced, undoStandby } from "./standby.ts";

export interface GatewayOptions extends Partial<Pick<Outside, "clock" | "random" | "env">> {
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

/** A gateway that serves drivers. */
export interface Gateway {
  /** Base URI for drivers, as reached from this machine. */
  readonly uri: string;
  /** Base URI of health checks and metrics, and of the page for people. */
  readonly adminUri: string;
  /** Base URI of the page for people who sign in, as reached from this machine; undefined if there is none. */
  readonly pageUri: string | undefined;
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
  const { clock, random, env } = { ...systemOutside(), ...options };
  const { client, policy } = options;
  const steps = orderSteps([], options.steps ?? []);
  const log = jsonLog(options.log, clock, config["log.level"]);
  const auditLog = openAuditLog(config["audit.logPath"], {
    ...{ clock, random, log, stdout: options.log },
    component: "gateway",
  });
  const tls = config["tls.plainHttp"] ? undefined : await readCertificate(config);
  const current = new CurrentTerm();
  const metrics = new Metrics(() => current.parts?.figures());
  const standby = await startStandby({
    ...{ config, client, clock, random, metrics, log },
    onChange: () => current.parts?.changed(),
    onAuthority: () => current.parts?.authorityChanged(),
  });
  const memory = planMemory(options.memory ?? memoryParts(), config);
  const connections = new DriverConnections({
    ...{ config, most: memory.connections, clock },
    onCut: (reason) => metrics.connectionsCut.inc({ reason }),
  });
  const server = new ApiServer(whileLeading(createView({ clock, random }), () => current.parts?.service));
  const begin = (term: Term): void => {
    const parts = assemble(term, {
      ...{ ...standby, config, memory, connections, metrics, policy, steps },
      ...{ clock, random, log, auditLog },
    });
    current.begin(parts);
    // This comes first, so that drivers that are no longer served here find the leading replica.
    term.onEnd(() => {
      current.end(parts);
      server.endConnections();
    });
  };
  const overview = (): Overview => current.parts?.overview() ?? emptyOverview(standby, clock.now());
  let isStopping = false;
  const adminConsole = startAdminConsole({
    ...{ config, client, clock, random, env, log, auditLog, metrics, overview },
    idleNodes: () => current.parts?.idleNodes() ?? 0,
    notReady() {
      if (isStopping) return "the gateway is stopping";
      if (!standby.cluster.isSynced) return "the cluster has not been listed yet";
      return current.parts === undefined ? "another replica leads" : standby.clusterRoom.missing;
    },
  });
  const undo = createUndo();
  undoStandby(undo, standby);
  undo.add(() => adminConsole.stop());
  try {
    undo.add(() => connections.stop());
    const port = await openDriverPort(config, { server, connections, tls });
    undo.add(() => server.close());
    const manager = startManager({ ...{ client, clock, random, log, begin }, ...leadershipOf(config) });
    undo.add(() => manager.stop());
    const adminPort = await listening(config, "admin", (host, wanted) => listen(adminConsole.admin, host, wanted));
    const page = await openPagePort(config, adminConsole.page);
    if (page !== undefined) undo.add(() => page.close());
    // Closed last: until then it says why the gateway is not ready.
    undo.addLast(() => closeServer(adminConsole.admin));
    const watched = await followOwnCertificate(config, { server, tls, clock, log });
    undo.add(() => watched.close());
    const uri = uriOf(tls === undefined ? "http" : "https", config["listen.host"], port);
    const adminUri = uriOf("http", config["admin.host"], adminPort);
    log.info("serving", { uri, adminUri, pageUri: page?.uri });
    const ready = synced(standby).then(() => log.info("the cluster has been listed"));
    ready.catch(() => undefined);
    const stop = async (): Promise<void> => {
      isStopping = true;
      await undo.run();
    };
    return { uri, adminUri, pageUri: page?.uri, ready, overview, stop };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
