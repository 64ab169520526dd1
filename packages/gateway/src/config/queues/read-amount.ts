import { parseQuantity } from "@kindling/core-spec";
import { isScalar, type Node } from "yaml";
import { resourceNameFault } from "../resource-name.ts";
import type { YamlReader } from "./yaml-reader.ts";

/**
 * Reads the amount of a resource, as pods ask for it; a wrong name or amount leaves a fault and nothing else.
 *
 * @param named the resource in a message about its name, without characters that control a terminal
 * @param amount the amount in a message, likewise
 */
export function readAmount(
  resource: string,
  node: Node,
  yaml: YamlReader,
  { named, amount }: { readonly named: string; readonly amount: string },
): string | undefined {
  const text = isScalar(node) ? String(node.value) : "";
  const quantity = parseQuantity(text);
  const misnamed = resourceNameFault(resource);
  if (misnamed !== undefined) yaml.fault(node, `${named} ${misnamed}`);
  else if (quantity === undefined || quantity.numerator < 0n)
    yaml.fault(node, `${amount} is not an amount such as 4, 500m or 16Gi`);
  else return text;
  return undefined;
}
