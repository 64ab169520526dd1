import { KindlingError, sparkConf } from "@kindling/core-spec";
import { SUBMIT_SERVER } from "../../keys/server-key.ts";
import { isShell, type Configuration } from "./configure.ts";
import { apiServerUrl, isKubernetesMaster } from "./master-url.ts";
import { validateConfiguration } from "./validate-configuration.ts";

/** Which program runs the application. */
export type Deployment =
  /** An API server; `undefined` leaves it to the connection or the kubeconfig's context. */
  | { readonly kind: "kubernetes"; readonly server: string | undefined }
  /** Only the real spark-submit can run it. */
  | { readonly kind: "spark-submit"; readonly reason: string };

/**
 * Decides which program runs an application, and refuses applications that none can run
 * (SparkSubmit.prepareSubmitEnvironment, 3.5.6 and 4.1.1).
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`
 */
export function deploymentOf(configuration: Configuration): Deployment {
  const { "spark.master": master, "spark.submit.deployMode": mode, "spark.remote": remote } = configuration.entries;
  if (remote !== undefined) {
    if (master !== undefined || mode !== undefined) {
      throw new KindlingError("ARGUMENT_INVALID", "--remote cannot be given with --master or --deploy-mode");
    }
    return { kind: "spark-submit", reason: "--remote is a connection from this machine" };
  }
  validateConfiguration(configuration);
  if (mode !== undefined && mode !== "client" && mode !== "cluster") {
    throw new KindlingError("ARGUMENT_INVALID", `--deploy-mode ${mode}: must be either client or cluster`);
  }
  if (master !== undefined && !isKubernetesMaster(master)) {
    refuseUnknownMaster(master, mode);
    return { kind: "spark-submit", reason: `${master} is no Kubernetes master` };
  }
  const server = master === undefined ? undefined : apiServerUrl(master);
  if (mode === "client") {
    return { kind: "spark-submit", reason: "in client mode the driver runs on this machine" };
  }
  refuseInteractive(configuration);
  return { kind: "kubernetes", server };
}

/** The error for an application that Kindling does not run. */
export function unsupportedHere(reason: string): KindlingError {
  return new KindlingError("UNSUPPORTED", `only cluster mode on Kubernetes runs without spark-submit: ${reason}`);
}

function refuseUnknownMaster(master: string, deployMode: string | undefined): void {
  if (master !== "yarn" && !/^(spark|local|mesos)/.test(master)) {
    throw new KindlingError("ARGUMENT_INVALID", `--master ${master}: must be yarn or start with spark, k8s, or local`, {
      ...(/^(?:https?:\/\/|[\w.-]+(?::\d+)?$)/.test(master) && {
        hint: `for a Kubernetes API server, write --master k8s://${master}`,
      }),
    });
  }
  if (master.startsWith("local") && deployMode === "cluster") {
    throw new KindlingError("ARGUMENT_INVALID", `--deploy-mode cluster is not compatible with --master ${master}`);
  }
}

const SQL_SHELL = "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver";
/** They wait for clients, so they need nobody beside them. */
const SERVERS = new Map([
  ["org.apache.spark.sql.hive.thriftserver.HiveThriftServer2", "the Spark Thrift server"],
  ["org.apache.spark.sql.connect.service.SparkConnectServer", "the Spark Connect server"],
]);

function refuseInteractive({ primaryResource = "", mainClass = "", entries }: Configuration): void {
  if (isShell(primaryResource)) throw notInCluster("Spark shells", "use --deploy-mode client");
  if (mainClass === SQL_SHELL) throw notInCluster("the Spark SQL shell", "use --deploy-mode client");
  const server = SERVERS.get(mainClass);
  if (server === undefined || mayRunAsDriver(entries)) return;
  throw notInCluster(server, `use --deploy-mode client, or run it as the driver with --conf ${SUBMIT_SERVER.key}=true`);
}

function mayRunAsDriver(entries: Readonly<Record<string, string>>): boolean {
  return sparkConf(entries, { sparkVersion: "", env: () => undefined }).get(SUBMIT_SERVER);
}

function notInCluster(what: string, hint: string): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", `cluster deploy mode is not applicable to ${what}`, { hint });
}
