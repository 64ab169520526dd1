import type { ResourceRequirements } from "../../objects/pod.ts";
import { type FieldError, invalidValue, parseAmount, qualifiedName, required } from "@kindling/api-server";

const PLAINLY_POSITIVE = /^\d+[A-Za-z]*$/;

/** What is wrong with the resources that a container asks for. */
export function validateResources(resources: ResourceRequirements, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = resources.limits ?? {};
  for (const [name, text] of Object.entries(limits))
    errors.push(...validateEntry(name, text, `${path}.limits[${name}]`));
  for (const [name, text] of Object.entries(resources.requests ?? {})) {
    errors.push(...validateEntry(name, text, `${path}.requests[${name}]`));
    const limit = limits[name];
    if (limit !== undefined) errors.push(...compareToLimit(name, text, limit, `${path}.requests`));
    else if (isExtended(name))
      errors.push(required(`${path}.limits`, "Limit must be set for non overcommitable resources"));
  }
  return errors;
}

/** What is wrong with an amount that must not be negative, or must be a whole number. */
export function validateAmount(name: string, text: string, path: string): FieldError[] {
  if (PLAINLY_POSITIVE.test(text) && !isExtended(name)) return [];
  const amount = parseAmount(text);
  if (amount === undefined) return [];
  const errors: FieldError[] = [];
  if (amount.nanos < 0n) errors.push(invalidValue(path, text, "must be greater than or equal to 0"));
  if (isExtended(name) && amount.nanos % 1_000_000_000n !== 0n)
    errors.push(invalidValue(path, text, "must be an integer"));
  return errors;
}

function validateEntry(name: string, text: string, path: string): FieldError[] {
  return [...qualifiedName(name).map((why) => invalidValue(path, name, why)), ...validateAmount(name, text, path)];
}

function compareToLimit(name: string, request: string, limit: string, path: string): FieldError[] {
  if (request === limit) return [];
  const [asked, allowed] = [parseAmount(request), parseAmount(limit)];
  if (asked === undefined || allowed === undefined) return [];
  if (asked.nanos !== allowed.nanos && isExtended(name)) {
    return [invalidValue(path, request, `must be equal to ${name} limit of ${limit}`)];
  }
  if (asked.nanos <= allowed.nanos) return [];
  return [invalidValue(path, request, `must be less than or equal to ${name} limit of ${limit}`)];
}

function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}
