import type { Service } from "@kindling/core-spec";
import type { DriverInfo, SparkApplication } from "@kindling/spark-application";
import { uiTlsPort } from "@kindling/steps";
import { driverService } from "./driver-service.ts";
import { uiServiceName } from "./object-names.ts";

const DEFAULT_PORT = 4040;
const DEFAULT_PORT_NAME = "spark-driver-ui-port";
const HIGHEST_PORT = 65_535;

/**
 * The service of Spark's UI (kubeflow/spark-operator v2.5.2, internal/controller/sparkapplication/web_ui.go). There is
 * none if the port is not known beforehand, as with `spark.ui.port=0`: stock asks for a service that every API server
 * refuses, and then never sees the driver run.
 */
export function uiService(application: SparkApplication, submissionId: string): Service | undefined {
  const { metadata, spec } = application;
  const options = spec.sparkUIOptions;
  const targetPort = uiPort(spec.sparkConf);
  const port = options === undefined ? targetPort : (options.servicePort ?? DEFAULT_PORT);
  if (!isPort(port) || !isPort(targetPort)) return undefined;
  return driverService(application, submissionId, {
    name: uiServiceName(metadata.name),
    portName: options?.servicePortName ?? DEFAULT_PORT_NAME,
    port,
    targetPort,
    options,
  });
}

/** The status fields about the service of Spark's UI, once the API server has made it and given it an address. */
export function webUiOf({
  metadata,
  spec,
}: Service): Pick<DriverInfo, "webUIServiceName" | "webUIPort" | "webUIAddress"> {
  const { clusterIP = "", ports = [] } = spec;
  const { port = DEFAULT_PORT } = ports[0] ?? {};
  return { webUIServiceName: metadata.name, webUIPort: port, webUIAddress: `${clusterIP}:${port}` };
}

/**
 * The port behind which Spark's UI is. With TLS this is another one, and the usual port only leads there: stock's service has
 * the usual one, so that browsers end at an address that no service has (kubeflow/spark-operator, issues 490 and 848).
 */
function uiPort(conf: Readonly<Record<string, string>> = {}): number {
  const port = sparkUiPort(conf["spark.ui.port"]);
  return uiTlsPort(conf, port) ?? port;
}

/** A text that is no whole number of 32 bits counts as not set. */
function sparkUiPort(text: string | undefined): number {
  const port = text !== undefined && /^[+-]?[0-9]+$/.test(text) ? Number(text) : DEFAULT_PORT;
  return port === (port | 0) ? port : DEFAULT_PORT;
}

function isPort(port: number): boolean {
  return port >= 1 && port <= HIGHEST_PORT;
}
