import { closest, KindlingError, quotedName } from "@kindling/core-spec";
import { READ, WANTED } from "./flag-kinds.ts";
import type { FeatureGate } from "./operator-settings.ts";

const GATES: readonly FeatureGate[] = ["PartialRestart", "LoadSparkDefaults", "RestSubmitter", "DefaultTimeToLive"];

/** Kubernetes' own gates, which stand for all of their kind. Those of the operator are alpha all. */
const OF_A_KIND = ["AllAlpha", "AllBeta"];

/**
 * Reads `PartialRestart=true,AllAlpha=false`. The last word about a gate counts, and what is said of the gate itself counts
 * more than what is said of all (k8s.io/component-base v0.32.5, featuregate/feature_gate.go).
 *
 * @throws KindlingError `ARGUMENT_INVALID` for a gate that there is none, or one that is neither on nor off
 */
export function readFeatureGates(text: string): ReadonlySet<FeatureGate> {
  const said = new Map<string, boolean>();
  for (const entry of text.split(",")) {
    if (entry === "") continue;
    const [name = "", value = ""] = entry.split(/=(.*)/s).map((part) => part.trim());
    if (![...GATES, ...OF_A_KIND].includes(name)) throw unknownGate(name);
    const isOn = READ.switch(value);
    if (isOn === undefined)
      throw new KindlingError(
        "ARGUMENT_INVALID",
        `--feature-gates has to be ${WANTED.gates}, and has ${quotedName(entry)} in it`,
      );
    said.set(name, isOn);
  }
  return new Set(GATES.filter((gate) => said.get(gate) ?? said.get("AllAlpha") ?? false));
}

function unknownGate(name: string): KindlingError {
  const near = closest(name, GATES);
  return new KindlingError("ARGUMENT_INVALID", `--feature-gates: there is no gate ${quotedName(name)}`, {
    hint: near === undefined ? `there are ${GATES.join(", ")}` : `did you mean ${near}?`,
  });
}
