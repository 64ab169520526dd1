import { stringify } from "yaml";
import type { Dice } from "../dice.ts";
import type { Draft } from "../draft.ts";
import { randomStruct, type Struct, type Value } from "./template-values.ts";
import { oddText } from "./template-texts.ts";

const K = "spark.kubernetes.";

/** A template of the driver's pod: any of a pod's fields. */
export function driverTemplate(draft: Draft): void {
  const { dice, files } = draft;
  files["t.yaml"] = templateText(draft);
  const odd = [
    "{W}/none.yaml",
    "file://{W}/t.yaml",
    "local://{W}/t.yaml",
    "t.yaml",
    "",
    "{W}",
    "file:{W}/t.yaml",
    "./t.yaml",
  ];
  draft.conf(`${K}driver.podTemplateFile`, dice.mostly(["{W}/t.yaml"], odd, 0.05));
  if (dice.chance(0.25))
    draft.conf(`${K}driver.podTemplateContainerName`, dice.mostly(["main", "side"], ["none", ""], 0.1));
}

/** A template of the executors' pods, which goes into the driver's ConfigMap. */
export function executorTemplate(draft: Draft): void {
  const { dice, files } = draft;
  files["e.yaml"] = dice.chance(0.9) ? templateText(draft) : dice.pick(["junk: [", "", "\u00e9\r\n", "\ufeffa: b\n"]);
  const odd = ["{W}/none.yaml", "file://{W}/e.yaml", "", "local:///e.yaml", "{W}", "e.yaml"];
  draft.conf(`${K}executor.podTemplateFile`, dice.mostly(["{W}/e.yaml"], odd, 0.05));
  if (dice.chance(0.2))
    draft.conf(`${K}executor.podTemplateContainerName`, dice.mostly(["main", "side"], ["none", ""], 0.1));
}

function templateText(draft: Draft): string {
  const { dice, features } = draft;
  const pod = randomPod(dice);
  if (dice.chance(0.15)) {
    const [name, text] = oddText(dice, pod);
    features.push(`yaml ${name}`);
    return text;
  }
  return written(dice, pod);
}

/** In a form that people and programs write. */
function written(dice: Dice, pod: Struct): string {
  switch (dice.pick(["block", "block", "block", "indented", "flow", "json", "pretty", "plain"])) {
    case "json":
      return JSON.stringify(pod);
    case "pretty":
      return `${JSON.stringify(pod, undefined, 2)}\n`;
    case "flow":
      return stringify(pod, { collectionStyle: "flow" });
    case "indented":
      return stringify(pod, { indent: 4, lineWidth: 20 });
    case "plain":
      // A text that looks like a number, written as by hand: without quotes.
      return stringify(pod).replaceAll(/: "([\w.]+)"$/gm, ": $1");
    default:
      return stringify(pod);
  }
}

function randomPod(dice: Dice): Struct {
  const metadata: Struct = {};
  if (dice.chance(0.5)) metadata["labels"] = labels(dice);
  if (dice.chance(0.4)) metadata["annotations"] = labels(dice);
  if (dice.chance(0.15)) Object.assign(metadata, randomStruct(dice, "ObjectMeta", 1));
  const containers = dice
    .some(["main", "side", "spark-kubernetes-driver", "third"], dice.pick([0, 1, 1, 1, 2, 3]))
    .map((name) => container(dice, name));
  const spec = randomStruct(dice, "PodSpec", dice.pick([0, 1, 1, 2, 3, 5]));
  delete spec["containers"];
  if (containers.length > 0 || dice.chance(0.3)) spec["containers"] = containers;
  if (dice.chance(0.3)) spec["volumes"] = [{ ...randomStruct(dice, "Volume", 1), name: "scratch" }];
  return {
    ...(dice.chance(0.95) && { apiVersion: "v1" }),
    ...(dice.chance(0.95) && { kind: "Pod" }),
    ...((Object.keys(metadata).length > 0 || dice.chance(0.3)) && { metadata }),
    ...(dice.chance(0.98) && { spec }),
    ...(dice.chance(0.02) && { status: { phase: "Running" } }),
    ...(dice.chance(0.01) && { extra: { a: 1 } }),
  };
}

function container(dice: Dice, name: string): Struct {
  const made = randomStruct(dice, "Container", dice.pick([0, 1, 2, 3]));
  return { ...made, name: dice.mostly<Value>([name], ["", 1, null], 0.02) };
}

function labels(dice: Dice): Struct {
  const odd: Value[] = [1, true, 1.5, null, 0, -1, "", "yes", "007", "1.0", 1e10, false, "1234567890123456789"];
  const names = dice.some(["a", "b", "team", "x/y", "n"], dice.pick([0, 1, 2, 3]));
  return Object.fromEntries(names.map((key) => [key, dice.mostly<Value>(["v", "prod", "8080", "true"], odd, 0.15)]));
}
