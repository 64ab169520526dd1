import { KindlingError, type Step } from "@kindling/core-spec";
import { isSealed, refuseUiSealedAlone, sealEntries, sealStep } from "@kindling/steps";
import { confOf, type PlanInput } from "./plan-input.ts";

/** A submission whose traffic is encrypted, if its configuration says so. */
export interface SealedInput {
  /** The input with the configuration of a sealed application. */
  readonly input: PlanInput;
  /** The step that makes its Secret and network policies. */
  readonly step: Step | undefined;
}

/**
 * @param prefix of the names of the submission's objects
 * @throws KindlingError `CONF_CONFLICT` if the configuration contradicts itself
 */
export function sealedInput(given: PlanInput, prefix: string): SealedInput {
  const conf = confOf(given);
  refuseUiSealedAlone(conf);
  if (!isSealed(conf)) return { input: given, step: undefined };
  const { seal } = given;
  if (seal === undefined) throw new KindlingError("INTERNAL", "a sealed application has no secret");
  const secretName = `${prefix}-seal`;
  const entries = { ...given.entries, ...sealEntries(conf, secretName) };
  return { input: { ...given, entries }, step: sealStep(secretName, seal) };
}
