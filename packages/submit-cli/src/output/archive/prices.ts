import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Usage } from "@kindling/recorder-client";

/** What an hour of a core and of a GiB costs. */
export interface Price {
  readonly coreHour: number;
  readonly gibHour: number;
}

/** Prices by the kind of node. */
export interface Prices {
  /** Such as `EUR`; it is only shown. */
  readonly currency: string | undefined;
  readonly default: Price | undefined;
  /** For spot nodes; without it, the default. */
  readonly spot: Price | undefined;
  /** By the instance type; `spot` beside a type is for spot nodes of it. */
  readonly nodes: ReadonlyMap<string, Price & { readonly spot: Price | undefined }>;
}

export const NO_PRICES: Prices = { currency: undefined, default: undefined, spot: undefined, nodes: new Map() };

/**
 * Reads a list of prices, in YAML or JSON.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function readPrices(path: string): Promise<Prices> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `--prices: cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  const { parse } = await import("yaml");
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw invalid(path, messageOf(error).split("\n")[0] ?? "");
  }
  return pricesOf(document, path);
}

function pricesOf(document: unknown, path: string): Prices {
  const top = fieldsOf(document, path, "the file");
  for (const key of Object.keys(top))
    if (!["currency", "default", "spot", "nodes"].includes(key)) throw invalid(path, `${key} is not known`);
  const { currency, nodes = {} } = top;
  if (currency !== undefined && typeof currency !== "string") throw invalid(path, "currency must be a text");
  const byType = Object.entries(fieldsOf(nodes, path, "nodes")).map(([type, value]) => {
    const { spot, ...own } = fieldsOf(value, path, `nodes.${type}`);
    return [
      type,
      { ...priceOf(own, path, `nodes.${type}`), spot: optional(spot, path, `nodes.${type}.spot`) },
    ] as const;
  });
  return {
    currency,
    default: optional(top["default"], path, "default"),
    spot: optional(top["spot"], path, "spot"),
    nodes: new Map(byType),
  };
}

function optional(value: unknown, path: string, at: string): Price | undefined {
  return value === undefined ? undefined : priceOf(value, path, at);
}

function priceOf(value: unknown, path: string, at: string): Price {
  const { coreHour = 0, gibHour = 0, ...more } = fieldsOf(value, path, at);
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw invalid(path, `${at}.${unknown} is not known`);
  if (!isPrice(coreHour) || !isPrice(gibHour))
    throw invalid(path, `${at}: coreHour and gibHour must be numbers that are not negative`);
  return { coreHour, gibHour };
}

function isPrice(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function fieldsOf(value: unknown, path: string, at: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(path, `${at} must have members`);
}

function invalid(path: string, what: string): KindlingError {
  return new KindlingError("FILE_UNPARSABLE", `--prices: ${path}: ${what}`, {
    hint: "write it as {currency: EUR, default: {coreHour: 0.04, gibHour: 0.005}, spot: {…}, nodes: {m5.xlarge: {…}}}",
  });
}

/** What was reserved costs; `undefined` if there is no price for it. */
export function costOf({ nodeType, spot, coreSeconds, gibSeconds }: Usage, prices: Prices): number | undefined {
  const node = prices.nodes.get(nodeType ?? "");
  const price = spot ? (node?.spot ?? prices.spot ?? node ?? prices.default) : (node ?? prices.default);
  if (price === undefined) return undefined;
  return (coreSeconds * price.coreHour + gibSeconds * price.gibHour) / 3600;
}
