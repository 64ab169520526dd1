import { closest, quotedName } from "@kindling/core-spec";

/** One fault that Ajv found, with `verbose` on; what of it is used here. */
interface Fault {
  readonly keyword: string;
  /** A JSON pointer (RFC 6901) to the member. */
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: { readonly properties?: object };
}

const PARTS: Readonly<Record<string, string>> = {
  body: "member",
  querystring: "query parameter",
  params: "part of the path",
  headers: "header",
};

/** What is wrong with a request, and with which member of it, and what helps. */
export interface InvalidMember {
  readonly detail: string;
  readonly hint?: string;
}

/** Reads what Fastify says of a request that its schema does not let pass; `undefined` for other errors. */
export function invalidMember(error: Error): InvalidMember | undefined {
  const [fault] = (Reflect.get(error, "validation") ?? []) as readonly Fault[];
  if (fault === undefined) return undefined;
  const context: unknown = Reflect.get(error, "validationContext");
  const part = PARTS[String(context)] ?? "member";
  const where = pathOf(fault.instancePath);
  const at = (name: unknown): string => quotedName([where, String(name)].filter((each) => each !== "").join("."));
  const { keyword, params, message = "is not as it must be" } = fault;
  if (keyword === "additionalProperties") {
    const known = Object.keys(fault.parentSchema?.properties ?? {});
    const name = String(params["additionalProperty"]);
    const near = closest(name, known, Math.max(1, Math.floor(name.length / 3)));
    return {
      detail: `there is no ${part} ${at(name)}`,
      hint: near === undefined ? `there are ${known.join(", ") || "none"}` : `did you mean ${near}?`,
    };
  }
  if (keyword === "required") return { detail: `${part} ${at(params["missingProperty"])} is missing` };
  const values = keyword === "enum" ? `: ${(params["allowedValues"] as readonly unknown[]).join(", ")}` : "";
  if (where === "") return { detail: `the ${String(context ?? "request")} ${message}${values}` };
  return { detail: `${part} ${quotedName(where)} ${message}${values}` };
}

/** `/conf/spark.app.name` as `conf.spark.app.name`. */
function pathOf(pointer: string): string {
  const names = pointer.split("/").slice(1);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}
