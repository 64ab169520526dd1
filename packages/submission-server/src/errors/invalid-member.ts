import { closest, quotedName } from "@kindling/core-spec";
import { memberOfOthers } from "./members-of-others.ts";

/** One fault that Ajv found, with `verbose` on; only the members that are used here. */
interface Fault {
  readonly keyword: string;
  /** A JSON pointer (RFC 6901) to the member. */
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly parentSchema?: {
    readonly properties?: object;
    readonly required?: readonly string[];
    readonly description?: string;
  };
}

const PARTS: Readonly<Record<string, string>> = {
  body: "member",
  querystring: "query parameter",
  params: "part of the path",
  headers: "header",
};

/** What is wrong with a member of a request, and what helps. */
export interface InvalidMember {
  readonly detail: string;
  readonly hint?: string;
}

/** Reads Fastify's error for a request that does not match its schema; `undefined` for other errors. */
export function invalidMember(error: Error): InvalidMember | undefined {
  const [fault] = (Reflect.get(error, "validation") ?? []) as readonly Fault[];
  if (fault === undefined) return undefined;
  const context: unknown = Reflect.get(error, "validationContext");
  const part = PARTS[String(context)] ?? "member";
  const where = pathOf(fault.instancePath);
  const at = (name: unknown): string => quotedName([where, String(name)].filter((each) => each !== "").join("."));
  const { keyword, params, message = "is not as it must be" } = fault;
  if (keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    const known = Object.keys(fault.parentSchema?.properties ?? {});
    return { detail: `there is no ${part} ${at(name)}`, hint: meantBy(name, known, part === "member" && where === "") };
  }
  if (keyword === "required") return { detail: `${part} ${at(params["missingProperty"])} is missing` };
  const values = keyword === "enum" ? `: ${(params["allowedValues"] as readonly unknown[]).join(", ")}` : "";
  if (where === "") return { detail: `the ${String(context ?? "request")} ${message}${values}` };
  const hint = hintFor(fault);
  return { detail: `${part} ${quotedName(where)} ${message}${values}`, ...(hint !== undefined && { hint }) };
}

/** @param isSubmission whether the unknown member is in the submission itself, and not deeper in it */
function meantBy(name: string, known: readonly string[], isSubmission: boolean): string {
  const elsewhere = isSubmission && known.includes("application") ? memberOfOthers(name) : undefined;
  if (elsewhere !== undefined) return `here it is ${elsewhere}`;
  const near = closest(name, known, Math.max(1, Math.floor(name.length / 3)));
  return near === undefined ? `there are ${known.join(", ") || "none"}` : `did you mean ${near}?`;
}

/** A hint about a value. The value is not repeated: there may be a secret in it. */
function hintFor({ keyword, params, data, parentSchema }: Fault): string | undefined {
  if (keyword === "pattern") return parentSchema?.description;
  if (keyword !== "type") return undefined;
  if (data === null) return "leave it out, or give it a value";
  const wanted = params["type"];
  if (wanted === "string" && (typeof data === "number" || typeof data === "boolean"))
    return "write it in quotation marks, as a text";
  if (wanted === "object" && typeof data === "string")
    return ["write an object", ...(parentSchema?.required ?? [])].join(" with the member ");
  return wanted === "array" && typeof data === "string" ? "write a list of texts, in square brackets" : undefined;
}

/** `/conf/spark.app.name` as `conf.spark.app.name`. */
function pathOf(pointer: string): string {
  const names = pointer.split("/").slice(1);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}
