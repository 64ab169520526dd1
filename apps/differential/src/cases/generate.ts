import type { Case } from "./case.ts";
import { application } from "./application.ts";
import { Draft } from "./draft.ts";
import * as control from "./features/control.ts";
import { environment } from "./features/environment.ts";
import * as files from "./features/files.ts";
import * as flags from "./features/flags.ts";
import { packages } from "./features/packages.ts";
import * as pods from "./features/pods.ts";
import { references } from "./features/references.ts";
import { driverTemplate, executorTemplate } from "./features/templates.ts";

export interface GenerateOptions {
  /** Only these features. */
  readonly only?: readonly string[];
  /** All known keys of Spark. */
  readonly sparkKeys: readonly string[];
}

type Feature = (draft: Draft, sparkKeys: readonly string[]) => void;

/** How often each feature is used, and what it adds. */
const FEATURES: Readonly<Record<string, readonly [weight: number, add: Feature]>> = {
  flags: [10, flags.flags],
  "typed-keys": [14, flags.typedKeys],
  "spark-keys": [7, flags.sparkKeys],
  "odd-keys": [3, flags.oddKeys],
  "odd-flags": [4, flags.oddFlags],
  verbose: [1, flags.verbose],
  ports: [3, flags.ports],
  "dynamic-allocation": [2, flags.dynamicAllocation],
  dependencies: [8, flags.dependencies],
  "proxy-user": [2, flags.proxyUser],
  references: [6, references],
  packages: [2, packages],
  prefixes: [6, pods.prefixes],
  variables: [5, pods.variables],
  secrets: [4, pods.secrets],
  volumes: [9, pods.volumes],
  resources: [4, pods.resources],
  steps: [3, pods.steps],
  volcano: [2, pods.volcano],
  properties: [8, files.propertiesFiles],
  "configuration-folder": [6, files.configurationFolder],
  hadoop: [4, files.hadoopConfiguration],
  kerberos: [3, files.kerberos],
  credentials: [4, files.credentials],
  environment: [8, environment],
  "driver-template": [14, driverTemplate],
  "executor-template": [4, executorTemplate],
  kill: [2, control.kill],
  status: [2, control.status],
  wait: [2, control.wait],
  client: [1, control.client],
};

export const FEATURE_NAMES: readonly string[] = Object.keys(FEATURES);

// Each of these determines the purpose of the whole command line.
const ALONE: ReadonlySet<string> = new Set(["kill", "status", "wait", "client"]);

/** The case of a seed and a number; the same ones always give the same case, for every Spark version. */
export function generateCase(seed: number, index: number, { only, sparkKeys }: GenerateOptions): Case {
  const name = `${seed}/${index}`;
  const draft = new Draft(name);
  const { dice } = draft;
  const names = FEATURE_NAMES.filter((feature) => only === undefined || only.includes(feature));
  const weighted = names.flatMap((feature) => Array.from({ length: FEATURES[feature]?.[0] ?? 0 }, () => feature));
  for (let count = dice.pick([1, 1, 1, 2, 2, 3]); count > 0; count--) {
    const feature = dice.pick(weighted);
    if (draft.features.some((one) => ALONE.has(one)) && ALONE.has(feature)) continue;
    draft.features.push(feature);
    FEATURES[feature]?.[1](draft, sparkKeys);
  }
  const app = draft.app ?? application(draft);
  if (draft.uploads) needUploadPath(draft);
  const common = commonFlags(draft);
  const all = dice.chance(0.5) ? dice.shuffled([...common, ...draft.flags]) : [...common, ...draft.flags];
  const { features, command, env, pods: present, driverEnds } = draft;
  return { name, features, command, flags: all, app, env, files: draft.files, pods: present, driverEnds };
}

function needUploadPath({ dice, flags, files }: Draft): void {
  const path = dice.mostly(["file://{W}/up"], ["file:{W}/up", "file:///{W}/up/", "file://{W}/up/{{APP_ID}}"], 0.15);
  flags.push(["--conf", `spark.kubernetes.file.upload.path=${path}`]);
  files["up/keep"] = "";
}

/** The flags of every command line; rarely, one of them is missing. */
function commonFlags({ command, dice, isClient, waits }: Draft): string[][] {
  const common = [
    ["--master", "k8s://http://127.0.0.1:{PORT}"],
    ["--conf", "spark.kubernetes.namespace=ref-ns"],
    // Only `kindling submit` has another default.
    ...(isClient && command === "spark-submit" && dice.chance(0.5)
      ? []
      : [["--deploy-mode", isClient ? "client" : "cluster"]]),
    ...(waits ? [] : [["--conf", "spark.kubernetes.submission.waitAppCompletion=false"]]),
    ["--conf", "spark.kubernetes.container.image=apache/spark:{V}"],
  ];
  if (dice.chance(0.01)) common.splice(dice.pick([1, common.length - 1]), 1);
  return common;
}
