import { KindlingError, SPARK_APP_ID_LABEL, SPARK_UI_TLS_PORT_NAME } from "@kindling/core-spec";
import { uiTlsPort } from "@kindling/steps";
import { applicationOf, driverProperties, podState, propertiesConfigMap } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import { ASKED_HOST, askUi, type AskingUi, type UiAnswer } from "./ask-ui.ts";
import { type ToldPorts, uiPortsInLog } from "./ui-ports-in-log.ts";

/** Where a driver's web UI is, and what its user has to know. */
export interface FoundUi {
  readonly port: number;
  readonly scheme: "http" | "https";
  readonly path: string;
  readonly notices: readonly string[];
}

export const UI_PORT = 4040;
const UI_PORT_NAME = "spark-ui";

type Properties = Readonly<Record<string, string>>;

/**
 * Finds the web UI of a driver that has started. Its pod and its configuration name ports, and Spark may have taken others: those
 * were not free, or the application has set them itself. So the ports are asked, and if need be the driver's log is.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND` if the application has none; KubeError
 */
export async function findUi(driver: Pod, asking: AskingUi): Promise<FoundUi> {
  const { namespace, driverPod: pod } = applicationOf(driver);
  const conf = await propertiesOf(driver, asking);
  if (conf["spark.ui.enabled"]?.trim().toLowerCase() === "false") throw turnedOff(namespace, pod);
  const declared = portNamed(driver, UI_PORT_NAME) ?? (Number(conf["spark.ui.port"]) || UI_PORT);
  const asked = await askUi({ namespace, pod, port: declared }, asking);
  const told = asked.kind === "redirect" ? {} : await portsToldBy(driver, asking);
  const port = told.plain ?? declared;
  const answer = port === declared ? asked : await askUi({ namespace, pod, port }, asking);
  const tls = tlsPort(answer, told, portNamed(driver, SPARK_UI_TLS_PORT_NAME) ?? uiTlsPort(conf, port));
  const redirects = conf["spark.ui.proxyRedirectUri"];
  return {
    ...(tls === undefined ? { port, scheme: "http" } : { port: tls, scheme: "https" }),
    // Where redirects lead elsewhere, this page is reached without one.
    path: redirects === undefined ? "/" : "/jobs/",
    notices: [
      ...(answer.kind === "nobody" ? [notYet(pod, port)] : []),
      ...(tls === undefined ? [] : ["the certificate is the driver's own, which browsers do not know"]),
      ...behindProxy(conf, driver),
    ],
  };
}

async function propertiesOf(driver: Pod, { client, signal }: AskingUi): Promise<Properties> {
  const name = propertiesConfigMap(driver.spec);
  if (name === undefined) return {};
  return (await driverProperties(client, name, { namespace: driver.metadata?.namespace, signal })) ?? {};
}

function portsToldBy(driver: Pod, { client, signal }: AskingUi): Promise<ToldPorts> {
  const { name, namespace, sparkContainer: container } = podState(driver);
  return uiPortsInLog(client, { name, namespace, container }, signal);
}

function portNamed({ spec }: Pod, wanted: string): number | undefined {
  return spec?.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === wanted)?.containerPort;
}

/** @param configured 0 if the configuration leaves it open */
function tlsPort(answer: UiAnswer, told: ToldPorts, configured: number | undefined): number | undefined {
  if (answer.kind === "redirect" && answer.to.protocol === "https:" && answer.to.hostname === ASKED_HOST) {
    return Number(answer.to.port || 443);
  }
  return told.tls ?? (configured || undefined);
}

function turnedOff(namespace: string, pod: string): KindlingError {
  return new KindlingError("OBJECT_NOT_FOUND", `${namespace}:${pod} has no web UI, as spark.ui.enabled is false`, {
    hint: "when it has ended, kindling ui shows its event log, if the recorder keeps one",
  });
}

function notYet(pod: string, port: number): string {
  return `nothing listens on port ${port} of ${pod} yet: Spark's web UI begins with the SparkContext`;
}

/** Spark writes a proxy's address into the links of its pages (UIUtils.scala, uiRoot). */
function behindProxy(conf: Properties, driver: Pod): string[] {
  const base = conf["spark.ui.proxyBase"] ?? reverseProxyBase(conf, driver);
  const redirects = conf["spark.ui.proxyRedirectUri"];
  return [
    ...(base === undefined || base === ""
      ? []
      : [`its links are made for a proxy at ${base}, and lead nowhere without it`]),
    ...(redirects === undefined ? [] : [`its redirects lead to ${redirects}, as spark.ui.proxyRedirectUri says`]),
  ];
}

function reverseProxyBase(conf: Properties, { metadata }: Pod): string | undefined {
  if (conf["spark.ui.reverseProxy"] !== "true") return undefined;
  const id = conf["spark.app.id"] ?? metadata?.labels?.[SPARK_APP_ID_LABEL] ?? "";
  return `${conf["spark.ui.reverseProxyUrl"]?.replace(/\/$/, "") ?? ""}/proxy/${id}`;
}
