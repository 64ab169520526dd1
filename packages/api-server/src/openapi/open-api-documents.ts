import { createHash } from "node:crypto";
import type { JsonObject } from "../../json.ts";
import type { ResourceTypes } from "../resource-types.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { Exchange } from "../routes/exchange.ts";
import { respondJson, respondStatus, respondText } from "../routes/respond.ts";
import { type Schema, structOf } from "../schema/types.ts";
import { notAcceptable } from "../status/errors.ts";
import { customDefinition } from "./custom-definition.ts";
import { type Dialect, VERSION_2, VERSION_3, resourcePaths } from "./paths.ts";
import { SchemaCollector } from "./schemas.ts";

const INFO = { title: "Kubernetes", version: "1.34" };

/** The OpenAPI documents, made when first asked for and again when the resources change. */
export class OpenApiDocuments {
  readonly #schema: Schema;
  readonly #types: ResourceTypes;
  readonly #texts = new Map<string, string>();
  #generation = -1;

  constructor(schema: Schema, types: ResourceTypes) {
    this.#schema = schema;
    this.#types = types;
  }

  /** Answers `/openapi/v2`, `/openapi/v3` and what is below; false for other paths. */
  async respond(exchange: Exchange, path: string): Promise<boolean> {
    if (this.#generation !== this.#types.generation) {
      this.#generation = this.#types.generation;
      this.#texts.clear();
    }
    if (path === "/openapi/v3") {
      respondJson(exchange, 200, { paths: this.#index() });
      return true;
    }
    if (path === "/openapi/v2") {
      const json = exchange.accept === "" || /application\/json|\*\/\*/.test(exchange.accept);
      if (json)
        respondText(
          exchange,
          200,
          this.#text("v2", () => this.#version2()),
        );
      else respondStatus(exchange, notAcceptable(["application/json"]).status);
      return true;
    }
    const place = path.slice("/openapi/v3/".length);
    const types = this.#typesAt(place);
    if (types.length === 0) return false;
    respondText(
      exchange,
      200,
      this.#text(place, () => this.#version3(types)),
    );
    return true;
  }

  #index(): JsonObject {
    const places = new Set(this.#types.all().map(placeOf));
    return Object.fromEntries(
      [...places].sort().map((place) => {
        // Making all documents only to hash them would be slow: what can change in them are the custom schemas.
        const custom = this.#typesAt(place).map(({ kind, customSchema }) => ({ kind, customSchema }));
        const hash = createHash("sha256")
          .update(JSON.stringify([INFO, place, custom]))
          .digest("hex")
          .toUpperCase();
        return [place, { serverRelativeURL: `/openapi/v3/${place}?hash=${hash}` }];
      }),
    );
  }

  #typesAt(place: string): ResourceType[] {
    return this.#types.all().filter((type) => placeOf(type) === place);
  }

  #text(key: string, make: () => object): string {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(make());
    this.#texts.set(key, text);
    return text;
  }

  #version3(types: readonly ResourceType[]): object {
    const collector = new SchemaCollector("#/components/schemas/");
    const paths = this.#paths(types, collector, VERSION_3);
    return { openapi: "3.0.0", info: INFO, paths, components: { schemas: sorted(collector.definitions) } };
  }

  #version2(): object {
    const collector = new SchemaCollector("#/definitions/");
    const paths = this.#paths(this.#types.all(), collector, VERSION_2);
    return { swagger: "2.0", info: INFO, paths, definitions: sorted(collector.definitions) };
  }

  #paths(types: readonly ResourceType[], collector: SchemaCollector, dialect: Dialect): JsonObject {
    const paths: JsonObject = {};
    for (const name of ["DeleteOptions", "Status", "ListMeta", "ObjectMeta"])
      collector.add(structOf(this.#schema, name));
    for (const type of types) {
      const own = this.#definition(type, collector);
      const list = listDefinition(type, own, collector);
      Object.assign(paths, resourcePaths(type, own, list, dialect));
    }
    return sorted(paths);
  }

  #definition(type: ResourceType, collector: SchemaCollector): JsonObject {
    const kinds = [{ group: type.group, kind: type.kind, version: type.version }];
    if (type.strategicPatch && type.type !== undefined) return collector.add(type.type, kinds);
    const metadata = collector.add(structOf(this.#schema, "ObjectMeta"));
    return collector.addRaw(customName(type), customDefinition(type, metadata));
  }
}

function placeOf({ group, version }: ResourceType): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

// Custom groups are named back to front, like packages.
function customName({ group, version, kind }: ResourceType): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

function listDefinition(type: ResourceType, own: JsonObject, collector: SchemaCollector): JsonObject {
  const reference = String(own["$ref"]);
  const name = `${reference.slice(reference.lastIndexOf("/") + 1)}List`;
  const prefix = reference.slice(0, reference.lastIndexOf("/") + 1);
  return collector.addRaw(name, {
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      items: { type: "array", items: { allOf: [own] } },
      kind: { type: "string" },
      metadata: { allOf: [{ $ref: `${prefix}io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta` }] },
    },
    "x-kubernetes-group-version-kind": [{ group: type.group, kind: `${type.kind}List`, version: type.version }],
  });
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
