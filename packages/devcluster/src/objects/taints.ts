import type { Taint } from "./core.ts";
import type { Pod, Toleration } from "./pod.ts";

/** Whether a pod tolerates a taint. */
export function tolerates({ spec }: Pod, taint: Taint): boolean {
  return (spec.tolerations ?? []).some((toleration) => matchesTaint(toleration, taint));
}

/** Whether a toleration matches a taint. */
export function matchesTaint(
  { key = "", operator = "Equal", value = "", effect = "" }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  return operator === "Exists" || (key !== "" && value === (taint.value ?? ""));
}
