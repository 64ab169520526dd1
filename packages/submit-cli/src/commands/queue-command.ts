import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { closest, KindlingError, quotedName, sparkConf, type SparkConf } from "@kindling/core-spec";
import {
  OVERVIEW_VERSION,
  parseGatewayPlace,
  readOverview,
  type GatewayOverview,
  type GatewayPlace,
} from "@kindling/gateway-client";
import { SCHEDULER_URI } from "@kindling/steps";
import { clusterError, configuredGatewayPlace, effectiveEntries, GATEWAY_PAGE, type Reach } from "@kindling/submit";
import { queuePage } from "../output/queue-page.ts";
import { QUEUE_FORMATS } from "./output-formats.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";
import { watchPage } from "../output/watch-page.ts";

type Format = (typeof QUEUE_FORMATS)[number];

/** `kindling queue [QUEUE]`: the content of a gateway's queues. */
export async function queueCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, QUEUE_FORMATS);
  const [queue] = line.operands;
  const namespace = line.value("namespace");
  const { place, reach } = await gatewayOf(line.value("gateway"), reachOf(line), context);
  const read = async (): Promise<GatewayOverview> =>
    inNamespace(inQueue(await askGateway(place, reach, context), queue), namespace);
  const textOf = (overview: GatewayOverview): Promise<string> =>
    queueText(overview, format, queue !== undefined, context);
  if (line.has("watch")) {
    // The time of the answer does not count as a change.
    const readAgain = async (): Promise<GatewayOverview> => ({ ...(await read()), at: 0 });
    return await watchPage({ read: readAgain, textOf, isLast: () => false }, context);
  }
  const overview = await read();
  context.output.out(await textOf(overview));
  if (format === "table" && queue === undefined && overview.applications.every(({ waits }) => waits.length === 0)) {
    context.output.err("nothing waits\n");
  }
  return 0;
}

/** The paths of a gateway's queues, for shells. */
export async function queueNames(
  given: string | undefined,
  reach: Reach,
  context: CommandContext,
): Promise<readonly string[]> {
  const found = await gatewayOf(given, reach, context);
  const { queues } = await askGateway(found.place, found.reach, context);
  return queues.map(({ path }) => path);
}

interface FoundGateway {
  readonly place: GatewayPlace;
  /** How to reach the cluster that the gateway may be in. */
  readonly reach: Reach;
}

/** The gateway that the command line names, or else the one that a submission from here would use. */
async function gatewayOf(given: string | undefined, reach: Reach, context: CommandContext): Promise<FoundGateway> {
  const { outside } = context;
  const own = effectiveEntries({ conf: reach.conf }, outside);
  const { installedHere, reachHere } = await import("./installed-here.ts");
  const here = reachHere(own, reach);
  if (given !== undefined) return { place: parseGatewayPlace(given), reach: here };
  const isConfigured = [GATEWAY_PAGE, SCHEDULER_URI].some(({ key }) => here.conf[key] !== undefined);
  const installation = isConfigured ? undefined : await installedHere(own, reach, context);
  return { place: configuredGatewayPlace(confFrom({ ...installation?.entries, ...here.conf }, outside)), reach: here };
}

function confFrom(entries: Readonly<Record<string, string>>, { env }: CommandContext["outside"]): SparkConf {
  return sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
}

function askGateway(place: GatewayPlace, reach: Reach, context: CommandContext): Promise<GatewayOverview> {
  const { clock, env } = context.outside;
  const cluster = async (): Promise<Awaited<ReturnType<typeof reachCluster>>["client"]> =>
    (await reachCluster(reach, context)).client;
  return readOverview(place, { clock, env, cluster, clusterError, signal: context.signal });
}

/** A queue, and those below it, with their applications. */
function inQueue(overview: GatewayOverview, queue: string | undefined): GatewayOverview {
  if (queue === undefined) return overview;
  const isIn = (path: string): boolean => path === queue || path.startsWith(`${queue}.`);
  const queues = overview.queues.filter(({ path }) => isIn(path));
  const applications = overview.applications.filter((application) => isIn(application.queue));
  if (queues.length > 0 || applications.length > 0) return { ...overview, queues, applications };
  const paths = overview.queues.map(({ path }) => path);
  const near = closest(queue, paths);
  throw new KindlingError("OBJECT_NOT_FOUND", `the gateway has no queue ${quotedName(queue)}`, {
    hint: near === undefined ? `kindling queue shows all queues` : `did you mean ${near}?`,
  });
}

/** Queues are shown for everybody; applications may be limited to one namespace. */
function inNamespace(overview: GatewayOverview, namespace: string | undefined): GatewayOverview {
  if (namespace === undefined) return overview;
  return { ...overview, applications: overview.applications.filter((one) => one.namespace === namespace) };
}

async function queueText(
  overview: GatewayOverview,
  format: Format,
  all: boolean,
  { outside, output }: CommandContext,
): Promise<string> {
  // The gateway's own document, which contains its kind.
  if (format !== "table")
    return await formatObject({ apiVersion: OVERVIEW_VERSION, kind: "Overview", ...overview }, format);
  return queuePage(overview, { palette: output.onOut, now: outside.clock.now(), all });
}
