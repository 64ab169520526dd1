import {
  applicationPhase,
  diagnose,
  inOrder,
  podState,
  sparkContainer as nameOfSparks,
  type Diagnosis,
  type PodEvent,
  type PodState,
} from "@kindling/diagnosis";
import type { KubeClient } from "@kindling/kube";
import { uiTlsPort } from "@kindling/steps";
import type { Container, Pod } from "kubernetes-types/core/v1.js";
import { gatherEvidence } from "../evidence/gather-evidence.ts";
import { driverProperties, propertiesConfigMap } from "./driver-properties.ts";
import { gaveWayOf } from "./gave-way.ts";
import { redact } from "../secrets/redact.ts";
import { listedApplication, type ListedApplication } from "./list-applications.ts";

/** Everything that is known about one application. */
export interface ApplicationReport extends Omit<ListedApplication, "findings"> {
  readonly driver: PodState;
  /** The image of the container that runs Spark. */
  readonly image: string | undefined;
  /** `undefined` where this user may not look at pods by label. */
  readonly executorPods: readonly PodState[] | undefined;
  readonly diagnosis: Diagnosis;
  /** Events of the driver and of executors that have problems, in order. */
  readonly events: readonly PodEvent[];
  /** The gateway's last event about executors that gave way to other applications; `undefined` if none did. */
  readonly gaveWay: PodEvent | undefined;
  /** The configuration that the driver was started with, without secrets; `undefined` if it cannot be read. */
  readonly configuration: Readonly<Record<string, string>> | undefined;
  /** The port of the driver's web UI in its pod, while it runs. */
  readonly uiPort: number | undefined;
  /** How to speak with it. */
  readonly uiScheme: "http" | "https" | undefined;
}

export interface ReportOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

/** Collects the state of an application. Things that this user may not see are left out. */
export async function applicationReport(
  client: KubeClient,
  pod: Pod,
  { now, signal }: ReportOptions,
): Promise<ApplicationReport> {
  const driver = podState(pod);
  const container = sparkContainer(pod);
  const [evidence, configuration, gaveWay] = await Promise.all([
    gatherEvidence(client, driver, { driverContainer: container?.name, signal }),
    configurationOf(client, pod, signal),
    gaveWayOf(client, driver, signal),
  ]);
  const diagnosis = diagnose(evidence, now);
  return {
    ...listedApplication(driver, diagnosis),
    driver,
    image: container?.image,
    executorPods: evidence.executors,
    diagnosis,
    events: inOrder(evidence.events ?? []),
    gaveWay,
    configuration: configuration && redact(configuration),
    ...(applicationPhase(driver) === "Running" ? webUi(configuration) : NO_UI),
  };
}

/** The container that runs Spark. */
function sparkContainer(pod: Pod): Container | undefined {
  const own = nameOfSparks(pod);
  return pod.spec?.containers.find(({ name }) => name === own);
}

async function configurationOf(
  client: KubeClient,
  { metadata, spec }: Pod,
  signal: AbortSignal | undefined,
): Promise<Record<string, string> | undefined> {
  const name = propertiesConfigMap(spec);
  if (name === undefined) return undefined;
  return await driverProperties(client, name, { namespace: metadata?.namespace, signal });
}

type WebUi = Pick<ApplicationReport, "uiPort" | "uiScheme">;

const NO_UI: WebUi = { uiPort: undefined, uiScheme: undefined };

function webUi(configuration: Readonly<Record<string, string>> = {}): WebUi {
  if (configuration["spark.ui.enabled"] === "false") return NO_UI;
  const port = Number(configuration["spark.ui.port"] ?? "4040");
  if (!Number.isInteger(port) || port <= 0) return NO_UI;
  const tlsPort = uiTlsPort(configuration, port);
  if (tlsPort === undefined) return { uiPort: port, uiScheme: "http" };
  return tlsPort > 0 ? { uiPort: tlsPort, uiScheme: "https" } : NO_UI;
}
