import { uiTlsPort } from "@kindling/steps";
import type { SparkConnect } from "@kindling/spark-application";

/** The ports of a server's service, by stock's names. Driver and block manager always have these. */
export const PORTS = { driver: 7078, blockManager: 7079, ui: 4040, connect: 15_002 } as const;

/** Where a server listens in its pod. */
export interface ServerPorts {
  readonly connect: number;
  /** The port of Spark's UI. */
  readonly ui: number;
  /** Whether Spark's UI answers at that port in plain HTTP. */
  readonly isUiPlain: boolean;
}

/**
 * Reads the ports that sparkConf names. Stock's service and probes have the usual ones all the same, so that such a server
 * never becomes ready (kubeflow/spark-operator, issue 2967).
 */
export function serverPorts({ spec: { sparkConf = {} } }: SparkConnect): ServerPorts {
  const ui = portOf(sparkConf["spark.ui.port"]) ?? PORTS.ui;
  const tls = uiTlsPort(sparkConf, ui);
  // A port of 0 is chosen by the server, and is not known here.
  const isKnown = sparkConf["spark.ui.port"]?.trim() !== "0" && sparkConf["spark.ui.enabled"]?.trim() !== "false";
  return {
    connect: portOf(sparkConf["spark.connect.grpc.binding.port"]) ?? PORTS.connect,
    ui: tls === undefined || tls === 0 ? ui : tls,
    isUiPlain: tls === undefined && isKnown,
  };
}

const HIGHEST_PORT = 65_535;

function portOf(text: string | undefined): number | undefined {
  const port = text !== undefined && /^\s*[0-9]+\s*$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= HIGHEST_PORT ? port : undefined;
}
