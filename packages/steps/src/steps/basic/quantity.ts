import { KindlingError, parseQuantity, type ConfKey, type Quantity } from "@kindling/core-spec";

/** Reads a CPU quantity, or names the key with an invalid one. */
export function cpuQuantity(key: ConfKey<string | undefined>, text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) {
    throw new KindlingError("CONF_INVALID", `${key.key}: "${text}" is not a CPU quantity such as 2, 0.5 or 500m`);
  }
  return quantity;
}
