import { closest, KindlingError, quotedName } from "@kindling/core-spec";
import { READ, WANTED } from "./flag-kinds.ts";
import type { FeatureGate } from "./operator-settings.ts";

const GATES: readonly FeatureGate[] = ["PartialRestart", "LoadSparkDefaults", "RestSubmitter", "DefaultTimeToLive"];

/** Kubernetes' own gates, which stand for all gates of a kind. The operator's gates are all alpha. */
const OF_A_KIND = ["AllAlpha", "AllBeta"];

/**
 * Reads `PartialRestart=true,AllAlpha=false`. If a gate is set several times, the last value counts. A gate's own value
 * wins over the value for all gates (k8s.io/component-base v0.32.5, featuregate/feature_gate.go).
 *
 * @throws KindlingError `ARGUMENT_INVALID` for an unknown gate, or a value that is neither true nor false
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
