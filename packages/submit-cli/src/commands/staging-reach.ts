import type { CommandContext, CommandLine } from "@kindling/command-line";
import { paint } from "@kindling/command-line";
import { harmlessText, isKindlingError, sparkConf, type SparkConf } from "@kindling/core-spec";
import type { ClusterAccess } from "@kindling/kube";
import {
  effectiveEntries,
  STAGING_CA_FILE,
  STAGING_TOKEN_FILE,
  STAGING_URI,
  type EffectiveEntry,
  type Installation,
  type Reach,
} from "@kindling/submit";
import { stagingAccess, tokenKept, type AskCluster, type StagingAccess } from "@kindling/submit/staging";
import { installedHere, reachHere } from "./installed-here.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** The staging server of a command, and how to reach it. */
export interface StagingReach {
  readonly conf: SparkConf;
  readonly access: StagingAccess;
  /** Asks the cluster of the command. */
  readonly askCluster: AskCluster;
  readonly cluster: () => Promise<ClusterAccess>;
  /** How to reach that cluster. */
  readonly reach: Reach;
}

/**
 * The server that the command line or the environment names, or else the one that a submission from here would use: from the
 * configuration, or from the installation in the cluster.
 */
export async function stagingReach(line: CommandLine, context: CommandContext): Promise<StagingReach> {
  const { outside, output } = context;
  const { clock, env } = outside;
  const own = effectiveEntries({ conf: reachOf(line).conf }, outside);
  const reach = reachHere(own, reachOf(line));
  const given = stagingEntries(reach.conf, line, context);
  const installation = given[STAGING_URI.key] === undefined ? await installationFor(own, line, context) : undefined;
  const conf = confOf({ ...installation?.entries, ...given }, context);
  const askCluster = clusterAsker(reach, context);
  const access = stagingAccess(conf, env, clock, installation);
  const kept = installation === undefined ? undefined : tokenKept(conf, env);
  if (kept !== undefined) output.err(`${paint(output, "yellow", "note:")} ${harmlessText(kept)}\n`);
  const cluster = (): Promise<ClusterAccess> => askCluster(({ access: found }) => Promise.resolve(found));
  return { conf, access, askCluster, cluster, reach };
}

async function installationFor(
  own: readonly EffectiveEntry[],
  line: CommandLine,
  context: CommandContext,
): Promise<Installation | undefined> {
  try {
    return await installedHere(own, reachOf(line), context);
  } catch (error) {
    // Without a cluster no installation can be found; the error is then about the missing staging server.
    if (isKindlingError(error) && error.code === "KUBECONFIG_INVALID") return undefined;
    throw error;
  }
}

function clusterAsker(reach: Reach, context: CommandContext): AskCluster {
  return async (ask) => {
    const { client } = await reachCluster(reach, context);
    try {
      return await ask(client, client.namespace);
    } finally {
      client.close();
    }
  };
}

function stagingEntries(
  configured: Readonly<Record<string, string>>,
  line: CommandLine,
  { outside: { env } }: CommandContext,
): Record<string, string> {
  const entries: Record<string, string> = { ...configured };
  const set = (key: string, value: string | undefined): void => {
    if (value !== undefined) entries[key] = value;
  };
  if (reachOf(line).conf[STAGING_URI.key] === undefined) set(STAGING_URI.key, env["KINDLING_STAGING_URI"] || undefined);
  set(STAGING_URI.key, line.value("server"));
  set(STAGING_CA_FILE.key, line.value("ca-file"));
  set(STAGING_TOKEN_FILE.key, line.value("token-file"));
  return entries;
}

function confOf(entries: Readonly<Record<string, string>>, { outside: { env } }: CommandContext): SparkConf {
  return sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
}
