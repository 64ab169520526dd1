import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/** A service of the stack, in a cluster. */
export interface StackService {
  /** The name of its Service. */
  readonly service: string;
  /** The port of the Service with its metrics. */
  readonly admin: string;
  readonly image: string;
}

export type ServiceName = "gateway" | "staging";

/** The full stack, as stack.yaml describes it. */
export interface Stack {
  readonly release: string;
  /** The chart's folder. */
  readonly chart: string;
  readonly services: Readonly<Record<ServiceName, StackService>>;
  /** Names of all images. */
  readonly images: readonly string[];
  /** Values of the chart. */
  readonly values: Readonly<Record<string, unknown>>;
}

const ROOT = new URL("../../../", import.meta.url);

/** @throws if the description is invalid; the error names the field */
export function parseStack(text: string): Stack {
  const description = map(parse(text), "the stack");
  const services = map(description["services"], "services");
  const service = (name: ServiceName): StackService => {
    const field = `services.${name}`;
    const found = map(services[name], field);
    const part = (key: string): string => string(found[key], `${field}.${key}`);
    return { service: part("service"), admin: part("admin"), image: part("image") };
  };
  const both = { staging: service("staging"), gateway: service("gateway") };
  const others = description["images"];
  if (!Array.isArray(others)) throw new Error("images is no list");
  return {
    release: string(description["release"], "release"),
    chart: fileURLToPath(new URL(string(description["chart"], "chart"), ROOT)),
    services: both,
    images: [both.staging.image, both.gateway.image, ...others.map((image) => string(image, "images"))],
    values: map(description["values"], "values"),
  };
}

/** The stack of this repository. */
export const STACK: Stack = parseStack(readFileSync(new URL("stack.yaml", import.meta.url), "utf8"));

function map(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${field} is no map`);
  return value as Readonly<Record<string, unknown>>;
}

function string(value: unknown, field: string): string {
  if (typeof value !== "string" || value === "") throw new Error(`${field} is no text`);
  return value;
}
