import type { CommandContext, CommandLine } from "@kindling/command-line";
import { paint } from "@kindling/command-line";
import { harmlessText, isKindlingError, sparkConf, type SparkConf } from "@kindling/core-spec";
import type { ClusterAccess } from "@kindling/kube";
import {
  findInstallation,
  INSTALLATION,
  STAGING_CA_FILE,
  STAGING_TOKEN_FILE,
  STAGING_URI,
  type Installation,
} from "@kindling/submit";
import { stagingAccess, tokenKept, type AskCluster, type StagingAccess } from "@kindling/submit/staging";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** Which staging server a command is about, and how it is reached. */
export interface StagingReach {
  readonly conf: SparkConf;
  readonly access: StagingAccess;
  /** Asks the cluster that the command is about. */
  readonly askCluster: AskCluster;
  readonly cluster: () => Promise<ClusterAccess>;
}

/** The server that the command line or the environment names, or else that of the installation in the cluster. */
export async function stagingReach(line: CommandLine, context: CommandContext): Promise<StagingReach> {
  const { clock, env } = context.outside;
  const askCluster = clusterAsker(line, context);
  const given = stagingEntries(line, context);
  const own = confOf(given, context);
  const installation = own.get(STAGING_URI) === undefined ? await installationFor(own, askCluster) : undefined;
  const conf = confOf({ ...installation?.entries, ...given }, context);
  const access = stagingAccess(conf, env, clock, installation);
  const kept = installation === undefined ? undefined : tokenKept(conf, env);
  if (kept !== undefined) {
    context.output.err(`${paint(context.output, "yellow", "note:")} ${harmlessText(kept)}\n`);
  }
  return { conf, access, askCluster, cluster: () => askCluster(({ access: found }) => Promise.resolve(found)) };
}

async function installationFor(conf: SparkConf, askCluster: AskCluster): Promise<Installation | undefined> {
  const named = conf.get(INSTALLATION);
  try {
    return await askCluster((client, namespace) => findInstallation(client, { namespace, named }));
  } catch (error) {
    // Without a cluster there is none to be found; what is missing then is said of the staging server.
    if (isKindlingError(error) && error.code === "KUBECONFIG_INVALID") return undefined;
    throw error;
  }
}

function clusterAsker(line: CommandLine, context: CommandContext): AskCluster {
  return async (ask) => {
    const { client } = await reachCluster(reachOf(line), context);
    try {
      return await ask(client, client.namespace);
    } finally {
      client.close();
    }
  };
}

function stagingEntries(line: CommandLine, { outside: { env } }: CommandContext): Record<string, string> {
  const entries: Record<string, string> = { ...reachOf(line).conf };
  const set = (key: string, value: string | undefined): void => {
    if (value !== undefined) entries[key] = value;
  };
  if (entries[STAGING_URI.key] === undefined) set(STAGING_URI.key, env["KINDLING_STAGING_URI"]);
  set(STAGING_URI.key, line.value("server"));
  set(STAGING_CA_FILE.key, line.value("ca-file"));
  set(STAGING_TOKEN_FILE.key, line.value("token-file"));
  return entries;
}

function confOf(entries: Readonly<Record<string, string>>, { outside: { env } }: CommandContext): SparkConf {
  return sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
}
