import { confType, type ConfType, parseQuantity } from "@kindling/core-spec";
import { readResources, type Resources } from "@kindling/admission";
import { resourceNameFault } from "./resource-name.ts";

/** The configured capacity for drivers and executors. */
export type CapacitySetting =
  /** The nodes, and what autoscalers may still add. */
  | { readonly kind: "auto" }
  /** The nodes alone. */
  | { readonly kind: "nodes" }
  /** The quotas of Kueue: each application waits in a LocalQueue. */
  | { readonly kind: "kueue" }
  /** Resources that are not named are not limited. */
  | { readonly kind: "configured"; readonly total: Resources };

/** How the setting is written: `auto`, `nodes`, `kueue`, `unlimited`, or amounts such as `cpu=64,memory=256Gi`. */
export const capacityType: ConfType<CapacitySetting> = {
  name: "capacity",
  parse(text) {
    const trimmed = text.trim();
    if (trimmed === "auto" || trimmed === "nodes" || trimmed === "kueue") return { kind: trimmed };
    if (trimmed === "unlimited") return { kind: "configured", total: {} };
    const amounts = trimmed.split(",").map((part) => /^\s*([^\s=]+)\s*=\s*(\S+)\s*$/.exec(part));
    const quantities: Record<string, string> = {};
    for (const match of amounts) {
      const [, name = "", amount = ""] = match ?? [];
      const quantity = parseQuantity(amount);
      if (quantity === undefined || quantity.numerator < 0n || Object.hasOwn(quantities, name)) return MISFIT;
      if (resourceNameFault(name) !== undefined) return MISFIT;
      quantities[name] = amount;
    }
    return { kind: "configured", total: readResources(quantities) };
  },
};

const MISFIT = confType.misfit("auto, nodes, kueue, unlimited, or amounts such as cpu=64,memory=256Gi");
