import { closest, KindlingError } from "@kindling/core-spec";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair, type YAMLMap } from "yaml";

/** A site's rule for one label. */
export interface Rule {
  readonly label: string;
  /** The line of the rule in the policy, from 1. */
  readonly line: number;
  readonly required: boolean;
  /** All values that are allowed. */
  readonly values?: readonly string[];
  /** The pattern for the whole value. */
  readonly pattern?: RegExp;
  readonly default?: string;
}

/** A site's rules for the labels of applications. */
export interface Policy {
  /** The rules for applications of one namespace, in the order of the file. */
  rulesFor(namespace: string): readonly Rule[];
}

type Settings = Omit<Rule, "label" | "line">;
type Given = { readonly [Field in keyof Settings]?: Settings[Field] };

interface Entry {
  readonly label: string;
  readonly line: number;
  readonly given: Given;
  readonly namespaces: readonly { readonly glob: RegExp; readonly line: number; readonly given: Given }[];
}

/**
 * Reads a policy:
 *
 *     labels:
 *       stage:
 *         required: true
 *         values: [dev, test]
 *         namespaces:
 *           prod-*: { values: [prod], default: prod }
 *
 * @param origin who names the file, and its path, for errors
 * @throws KindlingError `FILE_UNPARSABLE` with the line
 */
export function parsePolicy(text: string, origin: string): Policy {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const reader = new PolicyReader(origin, (offset) => lines.linePos(offset).line);
  const [fault] = document.errors;
  if (fault !== undefined) throw reader.fault(fault.pos[0], fault.message);
  const entries = reader.entries(document.contents);
  return {
    rulesFor: (namespace) =>
      entries.map(({ label, line, given, namespaces }) => {
        const special = namespaces.find(({ glob }) => glob.test(namespace));
        return { label, line: special?.line ?? line, required: false, ...given, ...special?.given };
      }),
  };
}

const FIELDS = ["required", "values", "pattern", "default", "namespaces"];

class PolicyReader {
  readonly #origin: string;
  readonly #lineAt: (offset: number) => number;

  constructor(origin: string, lineAt: (offset: number) => number) {
    this.#origin = origin;
    this.#lineAt = lineAt;
  }

  fault(where: Node | number | null | undefined, problem: string): KindlingError {
    const line = this.#lineAt(typeof where === "number" ? where : (where?.range?.[0] ?? 0));
    return new KindlingError("FILE_UNPARSABLE", `${this.#origin}, line ${line}: ${problem}`, {
      hint: "labels: { team: { required: true, values: [search, ads] } }",
    });
  }

  entries(contents: Node | null): Entry[] {
    const [labels, ...others] = this.#members(contents, "the policy");
    if (labels?.name !== "labels" || others.length > 0) {
      throw this.fault(others[0]?.key ?? contents, "a policy has one field, labels");
    }
    return this.#members(labels.value, "labels").map(({ name: label, key, value }) => {
      if (!/^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(label)) {
        throw this.fault(key, `${JSON.stringify(label)} is no name of a label`);
      }
      const { given, namespaces } = this.#rule(value, label);
      return {
        label,
        line: this.#lineAt(key.range?.[0] ?? 0),
        given,
        namespaces: namespaces.map((one) => ({
          glob: globOf(one.name),
          line: this.#lineAt(one.key.range?.[0] ?? 0),
          given: this.#rule(one.value, `${label} in ${one.name}`, true).given,
        })),
      };
    });
  }

  #rule(node: Node | null, what: string, isNested = false): { given: Given; namespaces: readonly Member[] } {
    const known = isNested ? FIELDS.slice(0, -1) : FIELDS;
    let given: Given = {};
    let namespaces: readonly Member[] = [];
    for (const { name, key, value } of this.#members(node, what)) {
      if (name === "required") given = { ...given, required: this.#boolean(value) };
      else if (name === "values") given = { ...given, values: this.#texts(value) };
      else if (name === "pattern") given = { ...given, pattern: this.#pattern(value) };
      else if (name === "default") given = { ...given, default: this.#text(value) };
      else if (name === "namespaces" && !isNested) namespaces = this.#members(value, `namespaces of ${what}`);
      else {
        const nearest = closest(name, known);
        const help = nearest === undefined ? `it has ${known.join(", ")}` : `did you mean ${nearest}?`;
        throw this.fault(key, `${what} has no field ${JSON.stringify(name)}; ${help}`);
      }
    }
    return { given, namespaces };
  }

  #members(node: Node | null, what: string): Member[] {
    if (!isMap(node)) throw this.fault(node, `${what} is no object`);
    return (node as YAMLMap<Node, Node | null>).items.map((pair: Pair<Node, Node | null>) => ({
      name: this.#text(pair.key),
      key: pair.key,
      value: pair.value,
    }));
  }

  #text(node: Node | null): string {
    if (!isScalar(node) || node.value === null) throw this.fault(node, "a text is missing here");
    // As it is written, so that 0042 stays unchanged.
    return node.source ?? String(node.value);
  }

  #texts(node: Node | null): string[] {
    if (!isSeq(node)) throw this.fault(node, "values is no list");
    return (node.items as (Node | null)[]).map((item) => this.#text(item));
  }

  #boolean(node: Node | null): boolean {
    if (isScalar(node) && typeof node.value === "boolean") return node.value;
    throw this.fault(node, "required is neither true nor false");
  }

  #pattern(node: Node | null): RegExp {
    const source = this.#text(node);
    try {
      return new RegExp(`^(?:${source})$`, "u");
    } catch {
      throw this.fault(node, `${JSON.stringify(source)} is no regular expression`);
    }
  }
}

interface Member {
  readonly name: string;
  readonly key: Node;
  readonly value: Node | null;
}

/** `*` stands for any text. */
function globOf(text: string): RegExp {
  const pieces = text.split("*").map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`);
}
