import { type KubeObjectLike, type KubeClient, resources } from "@kindling/kube";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseFlags, runOperator } from "@kindling/operator";
import { type Outside, sleep } from "@kindling/outside";
import { parse } from "yaml";
import type { StatePaths } from "../state/state-paths.ts";
import { makeDriverAccount, NAMESPACE } from "./driver-account.ts";

const require = createRequire(import.meta.url);

/** The account that the chart creates for drivers; users' files name it (and kubeflow's own examples). */
export const OPERATED_DRIVER_ACCOUNT = "spark-operator-spark";

export interface DevOperatorOptions extends Pick<Outside, "clock" | "random"> {
  /** The administrator's client, in the namespace of applications. */
  readonly client: KubeClient;
  readonly paths: StatePaths;
  readonly log: { write(line: string): void };
  /** What creates executors, as entries for every application's `sparkConf`. */
  readonly sparkConf: Readonly<Record<string, string>>;
  /** Whether drivers create their executors themselves. */
  readonly driversMakeExecutors: boolean;
}

/**
 * Creates the operator's kinds and its drivers' account, and starts the operator, which serves the namespace of applications.
 */
export async function startDevOperator(options: DevOperatorOptions): Promise<{ stop(): Promise<void> }> {
  const { client, paths, log, sparkConf, driversMakeExecutors, clock, random } = options;
  await Promise.all([
    makeDefinitions(client, clock),
    makeDriverAccount(client, driversMakeExecutors, OPERATED_DRIVER_ACCOUNT),
  ]);
  const flags = [`--namespaces=${NAMESPACE}`, "--health-probe-bind-address=0", `--kubeconfig=${paths.kubeconfig}`];
  const parsed = parseFlags(flags);
  // Variables in the user's environment are for another operator.
  const outside = { clock, random, env: {}, cwd: paths.folder };
  return await runOperator({ ...parsed, settings: { ...parsed.settings, sparkConf } }, { outside, holder: "dev", log });
}

/** Ready when the API server serves the new kinds. */
async function makeDefinitions(client: KubeClient, clock: Outside["clock"]): Promise<void> {
  const folder = join(dirname(require.resolve("@kindling/operator/package.json")), "dist", "crds");
  const definitions = readdirSync(folder).map(
    (file) => parse(readFileSync(join(folder, file), "utf8")) as KubeObjectLike,
  );
  for (const definition of definitions) await client.create(resources.customresourcedefinitions, definition);
  for (const { metadata } of definitions) {
    while (!(await isEstablished(client, metadata?.name ?? ""))) await sleep(clock, 10);
  }
}

async function isEstablished(client: KubeClient, name: string): Promise<boolean> {
  const { status } = await client.get(resources.customresourcedefinitions, name);
  return status?.conditions?.some(({ type, status: is }) => type === "Established" && is === "True") ?? false;
}
