import { createHash, randomBytes } from "node:crypto";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { KindlingError, messageOf, type MainApplication } from "@kindling/core-spec";
import { isSubmitterLocal, NO_RESOURCE } from "@kindling/steps";
import type { SubmitArguments } from "../args/parse-arguments.ts";
import { mainClassOfJar } from "../conf/main-class.ts";
import { apiServerUrl, isKubernetesMaster } from "../conf/master-url.ts";
import { isShell, mergeConf, validateConf, type MergedConf } from "../conf/merge-conf.ts";
import { filePath, resolveUris } from "../conf/resolve-uri.ts";
import { withSparkEnv, type Env } from "../conf/spark-env.ts";
import { localFiles } from "../files/local-files.ts";
import { readSmallFile } from "../files/read-small-file.ts";
import { seededIdentifiers } from "./identifiers.ts";
import { mainApplicationOf, type SubmissionInput } from "./plan.ts";
import { resolveSparkVersion } from "./spark-version.ts";

/** The machine and process that submit. */
export interface Surroundings {
  readonly env: Env;
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly notice: (message: string) => void;
  /** What holds where nothing says it; without these it is the kubeconfig's cluster, in cluster mode. */
  readonly defaults?: { readonly master: string; readonly deployMode: string };
}

/** What a command line asks for. */
export type Request =
  | {
      readonly kind: "kubernetes";
      /** The API server's address; `undefined` leaves it to the kubeconfig's context. */
      readonly server: string | undefined;
      /** Everything but the master, which may still have to come out of the kubeconfig. */
      withMaster(server: string): Promise<SubmissionInput>;
      readonly conf: MergedConf;
      readonly env: Env;
    }
  | { readonly kind: "spark-submit"; readonly reason: string; readonly env: Env };

/**
 * Gathers what a submission depends on from arguments, files and environment, and refuses what cannot be run
 * (SparkSubmit.prepareSubmitEnvironment, 3.5.6 and 4.1.1). What is not for Kubernetes in cluster mode is left to
 * spark-submit.
 */
export function gatherInput(args: SubmitArguments, surroundings: Surroundings): Request {
  const { cwd, notice, defaults } = surroundings;
  const env = withSparkEnv(surroundings.env, notice);
  const given = mergeConf(args, env, cwd, notice);
  if (given.remote !== undefined) {
    if (given.master !== undefined || given.deployMode !== undefined) {
      throw new KindlingError("ARGUMENT_INVALID", "--remote cannot be given with --master or --deploy-mode");
    }
    return { kind: "spark-submit", reason: "--remote is a connection from this machine", env };
  }
  const conf: MergedConf = {
    ...given,
    master: given.master ?? defaults?.master,
    deployMode: given.deployMode ?? defaults?.deployMode,
  };
  validateConf(conf);
  if (conf.deployMode !== undefined && conf.deployMode !== "client" && conf.deployMode !== "cluster") {
    throw new KindlingError("ARGUMENT_INVALID", `--deploy-mode ${conf.deployMode}: must be either client or cluster`);
  }
  if (conf.master !== undefined && !isKubernetesMaster(conf.master)) {
    refuseUnknownMaster(conf.master, conf.deployMode);
    return { kind: "spark-submit", reason: `${conf.master} is no Kubernetes master`, env };
  }
  const server = conf.master === undefined ? undefined : apiServerUrl(conf.master);
  if (conf.deployMode === "client") {
    return { kind: "spark-submit", reason: "in client mode the driver runs on this machine", env };
  }
  refuseInteractive(conf);
  refuseEmptyId(args);
  return {
    kind: "kubernetes",
    server,
    conf,
    env,
    withMaster: (url) => submissionInput(args, conf, env, url, surroundings),
  };
}

function refuseUnknownMaster(master: string, deployMode: string | undefined): void {
  if (master !== "yarn" && !/^(spark|local|mesos)/.test(master)) {
    throw new KindlingError("ARGUMENT_INVALID", `--master ${master}: must be yarn or start with spark, k8s, or local`);
  }
  if (master.startsWith("local") && deployMode === "cluster") {
    throw new KindlingError("ARGUMENT_INVALID", `--deploy-mode cluster is not compatible with --master ${master}`);
  }
}

const INTERACTIVE_CLASSES = new Map([
  ["org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver", "the Spark SQL shell"],
  ["org.apache.spark.sql.hive.thriftserver.HiveThriftServer2", "the Spark Thrift server"],
  ["org.apache.spark.sql.connect.service.SparkConnectServer", "the Spark Connect server"],
]);

function refuseInteractive({ primaryResource = "", mainClass = "" }: MergedConf): void {
  const what = isShell(primaryResource) ? "Spark shells" : INTERACTIVE_CLASSES.get(mainClass);
  if (what !== undefined) {
    throw new KindlingError("ARGUMENT_INVALID", `cluster deploy mode is not applicable to ${what}`, {
      hint: "use --deploy-mode client",
    });
  }
}

/** An empty id, as of a variable that is not set, would make one application of all that have it. */
function refuseEmptyId({ values }: SubmitArguments): void {
  if (values.get("--submission-id")?.trim() === "") {
    throw new KindlingError("ARGUMENT_INVALID", "--submission-id: the id is empty");
  }
}

async function submissionInput(
  args: SubmitArguments,
  conf: MergedConf,
  environment: Env,
  server: string,
  { cwd, now, notice }: Surroundings,
): Promise<SubmissionInput> {
  const env = (name: string): string | undefined => environment[name];
  const resource = conf.primaryResource ?? NO_RESOURCE;
  const mainApplication = mainApplicationOf(resource, conf.mainClass ?? mainClassFromJar(resource));
  const user = sparkUser(environment, conf.proxyUser);
  const entries = submittedEntries(conf, mainApplication, server, now());
  checkKerberos(entries, environment, user, cwd, notice);
  const submissionId = args.values.get("--submission-id");
  const files = localFiles(
    cwd,
    needsYaml(entries) ? (await import("../files/parse-yaml.ts")).parseYaml : () => undefined,
  );
  return {
    sparkVersion: resolveSparkVersion(entries, env, notice),
    entries,
    mainApplication,
    appArgs: args.appArgs,
    proxyUser: conf.proxyUser,
    user,
    submissionId,
    ids:
      submissionId === undefined
        ? seededIdentifiers(randomBytes(32), now())
        : seededIdentifiers(createHash("sha256").update(submissionId).digest(), undefined),
    files,
    env,
    system: (name) => systemProperty(name, user, cwd) ?? entries[name],
    notice,
  };
}

/** The configuration as spark-submit hands it to the Kubernetes client. */
function submittedEntries(
  conf: MergedConf,
  application: MainApplication,
  server: string,
  now: number,
): Record<string, string> {
  const entries: Record<string, string> = { ...conf.entries };
  entries["spark.master"] = `k8s://${server}`;
  entries["spark.submit.deployMode"] = "cluster";
  entries["spark.app.submitTime"] ??= String(now);
  // The driver's Service gives it a name, so one that the user gave is dropped without a word, as by spark-submit.
  delete entries["spark.driver.host"];
  if (application.language === "java") {
    const own = application.resource === undefined ? [] : [application.resource];
    entries["spark.jars"] = [...(entries["spark.jars"] ? [entries["spark.jars"]] : []), ...own].join(",");
  }
  entries["spark.submit.pyFiles"] ??= "";
  for (const key of ["spark.jars", "spark.files", "spark.archives", "spark.submit.pyFiles"]) {
    if (entries[key] !== undefined) entries[key] = resolveUris(entries[key], "/");
  }
  return entries;
}

function mainClassFromJar(resource: string): string | undefined {
  if (/\.(py|[rR])$/.test(resource)) return undefined;
  const hint = "specify it with --class";
  if (!isSubmitterLocal(resource)) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `failed to get the main class from ${resource}, which is not on this machine`,
      { hint },
    );
  }
  let mainClass: string | undefined;
  try {
    mainClass = mainClassOfJar(filePath(resource));
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `failed to get the main class from ${resource}: ${messageOf(error)}`, {
      hint,
      cause: error,
    });
  }
  if (mainClass === undefined)
    throw new KindlingError("ARGUMENT_INVALID", `no main class is set in ${resource}`, { hint });
  return mainClass;
}

/** Utils.getCurrentUserName without Hadoop's login: whom spark-submit acts for, what HADOOP_USER_NAME says, or the system. */
function sparkUser(env: Env, proxyUser: string | undefined): string {
  return env["SPARK_USER"] ?? proxyUser ?? env["HADOOP_USER_NAME"] ?? systemUser();
}

/** The name of the process's user or, where the system has none for it, as in many containers, the number. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid?.() ?? "unknown");
  }
}

function needsYaml(entries: Readonly<Record<string, string>>): boolean {
  return (
    entries["spark.kubernetes.driver.podTemplateFile"] !== undefined ||
    entries["spark.kubernetes.executor.podTemplateFile"] !== undefined ||
    entries["spark.kubernetes.scheduler.volcano.podGroupTemplateFile"] !== undefined
  );
}

/** System properties of the JVM that have a meaning without one. */
function systemProperty(name: string, user: string, cwd: string): string | undefined {
  switch (name) {
    case "user.name":
      return user;
    case "user.home":
      return homedir();
    case "user.dir":
      return cwd;
    case "java.io.tmpdir":
      return tmpdir();
    case "file.separator":
      return "/";
    case "path.separator":
      return ":";
    default:
      return undefined;
  }
}

/** What Hadoop's security setting asks for, as far as it can be had without Hadoop. */
function checkKerberos(
  entries: Record<string, string>,
  env: Env,
  user: string,
  cwd: string,
  notice: (message: string) => void,
): void {
  const keytab = entries["spark.kerberos.keytab"];
  if (keytab !== undefined && entries["spark.kerberos.principal"] !== undefined && !keytab.startsWith("local:")) {
    if (!localFiles(cwd, () => undefined).isFile(keytab)) {
      throw new KindlingError("FILE_UNREADABLE", `spark.kerberos.keytab: keytab file ${keytab} does not exist`);
    }
  }
  if (!isHadoopSecure(env)) return;
  entries["spark.hadoop.yarn.resourcemanager.principal"] = user;
  if (keytab === undefined && entries["spark.kubernetes.kerberos.tokenSecret.name"] === undefined) {
    notice(
      "Hadoop security is on, but no delegation tokens are fetched here; give --principal and --keytab, or a token Secret",
    );
  }
}

function isHadoopSecure(env: Env): boolean {
  const directory = env["HADOOP_CONF_DIR"];
  if (directory === undefined) return false;
  try {
    const site = readSmallFile(join(directory, "core-site.xml")).toString("utf8");
    return /<name>\s*hadoop\.security\.authentication\s*<\/name>\s*<value>\s*kerberos\s*<\/value>/i.test(site);
  } catch {
    return false;
  }
}
