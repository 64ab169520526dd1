import type { CommandContext } from "@kindling/command-line";
import { KindlingError, sparkConf, type SparkConf, USUAL_NAMESPACE } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import {
  effectiveEntries,
  findInstallation,
  INSTALLATION,
  type Installation,
  isSameReach,
  parseServiceUri,
  type Reach,
  RECORDER_URI,
  secretsIn,
  type ServiceOfCluster,
} from "@kindling/submit";
import { reachHere } from "../installed-here.ts";
import { reachCluster } from "../target.ts";

/** For which namespaces: that of the command, or all. */
export type ArchiveScope = "namespace" | "all";

export interface FoundRecorder {
  readonly client: KubeClient;
  readonly conf: SparkConf;
  readonly uri: string;
  /** `undefined` if the recorder is none of this cluster's. */
  readonly service: ServiceOfCluster | undefined;
  /** Closes the client, if it was opened for this. */
  readonly close: () => void;
}

/**
 * Where the recorder is, without asking it anything.
 *
 * @param open a client that the command has already. It is used if it reaches the same cluster in the same way.
 * @throws KindlingError `CONF_MISSING` if there is none
 */
export async function findRecorder(
  scope: ArchiveScope,
  reach: Reach,
  context: CommandContext,
  open?: KubeClient,
): Promise<FoundRecorder> {
  const here = reachHere(effectiveEntries({ conf: reach.conf }, context.outside), reach);
  for (const secret of secretsIn(here.conf)) context.secrets.hide(secret);
  const isOpen = open !== undefined && isSameReach(here, reach);
  const client = isOpen ? open : (await reachCluster(here, context)).client;
  const close = (): void => {
    if (!isOpen) client.close();
  };
  try {
    const conf = await recorderConf(client, scope, here, context);
    const uri = conf.get(RECORDER_URI);
    if (uri === undefined) throw noRecorder();
    const service = parseServiceUri(uri, { key: RECORDER_URI.key, example: "kindling/kindling-recorder:8080" });
    return { client, conf, uri, service, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function recorderConf(
  client: KubeClient,
  scope: ArchiveScope,
  { conf }: Reach,
  context: CommandContext,
): Promise<SparkConf> {
  const { outside, signal } = context;
  const written = (entries: Readonly<Record<string, string>>): SparkConf =>
    sparkConf(entries, { sparkVersion: "", env: (name) => outside.env[name] });
  const given = written(conf);
  const named = given.get(INSTALLATION);
  if (given.get(RECORDER_URI) !== undefined || named === "none") return given;
  const find = (namespace: string): Promise<Installation | undefined> =>
    findInstallation(client, { namespace, named, signal });
  // An installation that does not serve the command's own namespace may serve others.
  const installation = (await find(client.namespace)) ?? (scope === "all" ? await find(USUAL_NAMESPACE) : undefined);
  return written({ ...installation?.entries, ...conf });
}

function noRecorder(): KindlingError {
  return new KindlingError("CONF_MISSING", "no recorder is known, which would keep what is gone from the cluster", {
    hint: `the chart installs one with recorder.enabled=true; ${RECORDER_URI.key} names another one`,
  });
}
