import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { KindlingError, withHint } from "@kindling/core-spec";
import {
  isStagingError,
  type BundleStatus,
  type CollectReport,
  type StagingClient,
  type StorageStatus,
} from "@kindling/staging-client";
import { STAGING_AUDIENCE, type Reach } from "@kindling/submit";
import { openStaging, submitterToken } from "@kindling/submit/staging";
import { byteText } from "../output/transfer-bar.ts";
import { age } from "../output/age.ts";
import { table } from "../output/table.ts";
import { BUNDLE_FORMATS, REPORT_FORMATS } from "./output-formats.ts";
import { stagingReach } from "./staging-reach.ts";
import { reachCluster } from "./target.ts";

type Action = (staging: Staging) => Promise<string>;

interface Staging {
  readonly client: StagingClient;
  /** The audience of administrators' tokens, if the server asks the cluster who the client is. */
  readonly adminAudience: string | undefined;
  readonly line: CommandLine;
  readonly operands: readonly string[];
  readonly namespace: string | undefined;
  readonly now: number;
}

const ACTIONS: Readonly<Record<string, Action>> = { ls: list, rm: remove, gc: collect, stat };

/** `kindling staging`. */
export async function stagingCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const [name = "", ...operands] = line.operands;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `staging: ${name === "" ? "no action is named" : `there is no ${name}`}`,
      {
        hint: "ls, rm, gc or stat; see kindling staging --help",
      },
    );
  }
  if (operands.length > 0 && name !== "rm") {
    throw new KindlingError("ARGUMENT_INVALID", `staging ${name} takes no operands: ${operands.join(" ")}`);
  }
  if (operands.length === 0 && name === "rm") {
    throw new KindlingError("ARGUMENT_INVALID", "staging rm: which bundle?", {
      hint: "kindling staging ls names them",
    });
  }
  const { conf, access, askCluster, cluster, reach } = await stagingReach(line, context);
  const { clock } = context.outside;
  const { client, authentication } = await openStaging(access, {
    submitterToken: submitterToken(access, askCluster, clock),
    secrets: context.secrets,
    cluster,
  });
  const adminAudience = authentication === "kubernetes" ? conf.get(STAGING_AUDIENCE) : undefined;
  try {
    const namespace = await namespaceOf(line, reach, context);
    context.output.out(await action({ client, adminAudience, line, operands, namespace, now: clock.now() }));
    return 0;
  } finally {
    client.close();
  }
}

/** The namespace to list: the given one, the context's, or all namespaces if there is no cluster to ask. */
async function namespaceOf(line: CommandLine, reach: Reach, context: CommandContext): Promise<string | undefined> {
  if (line.has("all-namespaces")) return undefined;
  if (reach.namespace !== undefined) return reach.namespace;
  try {
    const { client } = await reachCluster(reach, context);
    client.close();
    return client.namespace;
  } catch {
    return undefined;
  }
}

async function list({ client, line, namespace, now }: Staging): Promise<string> {
  const format = formatOf(line, BUNDLE_FORMATS);
  const bundles: BundleStatus[] = [];
  for (let next: string | undefined, first = true; first || next !== undefined; first = false) {
    const page = await client.listBundles({
      ...(namespace !== undefined && { namespace }),
      ...(next !== undefined && { continue: next }),
    });
    bundles.push(...page.bundles);
    next = page.continue;
  }
  if (format === "name") return bundles.map(({ bundleId }) => `${bundleId}\n`).join("");
  return format === "table" ? bundleTable(bundles, now) : formatObject(bundles, format);
}

function bundleTable(bundles: readonly BundleStatus[], now: number): string {
  const rows = bundles.map((bundle) => [
    bundle.namespace,
    bundle.bundleId,
    bundle.owner.ownerLabels["spark-app-selector"] ?? "",
    String(bundle.files),
    byteText(bundle.bytes),
    bundle.state,
    bundle.ownerState,
    bundle.expiresIn === undefined ? "" : `${bundle.expiresIn}s`,
    age(bundle.createdAt, now),
  ]);
  return table([
    ["NAMESPACE", "BUNDLE", "APPLICATION ID", "FILES", "SIZE", "STATE", "OWNER", "EXPIRES", "AGE"],
    ...rows,
  ]);
}

async function remove({ client, operands }: Staging): Promise<string> {
  const lines: string[] = [];
  for (const bundle of operands) {
    await client.deleteBundle(bundle);
    lines.push(`${bundle} deleted\n`);
  }
  return lines.join("");
}

async function collect({ client, adminAudience, line }: Staging): Promise<string> {
  const format = formatOf(line, REPORT_FORMATS);
  const report = await client.collect({ dryRun: line.has("dry-run") }).catch((error: unknown) => {
    if (adminAudience === undefined || !isStagingError(error) || error.fault !== "forbidden") throw error;
    const command = `kubectl create token ACCOUNT --audience ${adminAudience}`;
    throw withHint(error, `an administrator sets KINDLING_STAGING_TOKEN=$(${command})`);
  });
  return format === "table" ? collectText(report) : formatObject(report, format);
}

function collectText({ dryRun, bundlesDeleted, blobsCondemned, blobsDeleted, bytesFreed }: CollectReport): string {
  const verb = dryRun ? "would be deleted" : "deleted";
  const bundles = bundlesDeleted.map(({ bundleId, reason }) => `bundle ${bundleId} ${verb}: ${reason}\n`);
  const blobs = `${blobsDeleted} unused ${blobsDeleted === 1 ? "file" : "files"} ${verb} (${byteText(bytesFreed)})`;
  return `${bundles.join("")}${blobs}, ${blobsCondemned} to go when their grace has passed\n`;
}

async function stat({ client, line }: Staging): Promise<string> {
  const format = formatOf(line, REPORT_FORMATS);
  const status = await client.storageStatus();
  return format === "table" ? statText(status) : formatObject(status, format);
}

function statText(status: StorageStatus): string {
  const { blobs, blobBytes = 0, openUploads, reservedBytes = 0, freeBytes } = status;
  const facts: [string, string][] = [["store", status.store]];
  // Only administrators see the figures of the store.
  if (blobs !== undefined) facts.push(["files", `${blobs} (${byteText(blobBytes)})`]);
  if (openUploads !== undefined) facts.push(["open uploads", `${openUploads} (${byteText(reservedBytes)} reserved)`]);
  if (blobs !== undefined) facts.push(["free", freeBytes === undefined ? "unknown" : byteText(freeBytes)]);
  const usage = status.namespaces.map((one) => [
    one.namespace,
    String(one.bundles),
    byteText(one.bytes),
    one.storedBytes === undefined ? "" : byteText(one.storedBytes),
    one.quotaBytes === undefined ? "" : byteText(one.quotaBytes),
  ]);
  const head = ["NAMESPACE", "BUNDLES", "SIZE", "STORED", "QUOTA"];
  const namespaces = usage.length === 0 ? "" : `\n${table([head, ...usage])}`;
  return facts.map(([name, value]) => `${`${name}:`.padEnd(14)}${value}\n`).join("") + namespaces;
}
