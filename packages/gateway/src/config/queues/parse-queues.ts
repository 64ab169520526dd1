import { harmlessText, KindlingError, messageOf, parseQuantity } from "@kindling/core-spec";
import {
  type Queue,
  queueFaults,
  queuePath,
  type QueuePreemption,
  readResources,
  type Resources,
} from "@kindling/admission";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { goodPart } from "./good-part.ts";
import { readNamespaces, readPriority, type Read } from "./parse-queue-access.ts";
import { resourceNameFault } from "../resource-name.ts";

/** What is wrong with a file of queues, and where. */
interface Fault {
  readonly line: number;
  readonly message: string;
}

/** How many faults a message names at most. */
const MOST_FAULTS = 5;
const QUEUE_FIELDS = [
  "name",
  "weight",
  "guarantee",
  "ceiling",
  "floor",
  "preemption",
  "namespaces",
  "priority",
  "children",
];
/** Applications name their queue in a label, and label values have at most 63 characters. */
const LONGEST_PATH = 63;
const PREEMPTIONS: readonly QueuePreemption[] = ["any", "graceful", "never"];
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

/**
 * Reads the queues from YAML:
 *
 *     queues:
 *       - name: etl
 *         weight: 2
 *         guarantee: { cpu: 16, memory: 64Gi }
 *         ceiling: { cpu: 64 }
 *         floor: 2
 *         preemption: graceful
 *         children: [{ name: daily }, { name: hourly }]
 *
 * @param origin the file, for messages
 * @returns the root, which has the queues of the file as its children; `queueFaults` finds nothing wrong with it
 * @throws KindlingError `FILE_UNPARSABLE` with the line of each fault
 */
export function parseQueues(text: string, origin: string): Queue {
  const { root, fault } = readQueues(text, origin);
  if (fault !== undefined) throw fault;
  return root;
}

/** The queues of a file, and what is wrong with them. */
export interface QueuesRead {
  /** The tree without the queues that have faults. */
  readonly root: Queue;
  /** `FILE_UNPARSABLE` with the line of each fault. */
  readonly fault: KindlingError | undefined;
}

/** Like `parseQueues`, but keeps the valid part of a file that has faults. */
export function readQueues(text: string, origin: string): QueuesRead {
  const reader = new Reader(text);
  const root = reader.read();
  const { faults, wrong } = reader;
  if (faults.length === 0) return { root, fault: undefined };
  return { root: goodPart(root, wrong), fault: faultOf(faults, origin) };
}

function faultOf(faults: readonly Fault[], origin: string): KindlingError {
  const told = faults.toSorted((a, b) => a.line - b.line).slice(0, MOST_FAULTS);
  const more = faults.length > told.length ? `; and ${faults.length - told.length} more` : "";
  const message = told.map(({ line, message: what }) => `${origin}:${line}: ${what}`).join("; ");
  return new KindlingError("FILE_UNPARSABLE", `${message}${more}`, {
    hint: "the file holds queues, each with name, weight, guarantee, ceiling, floor, preemption, namespaces, priority and children; only the name is needed",
  });
}

class Reader {
  readonly faults: Fault[] = [];
  /** Queues with a field that could not be read. */
  readonly wrong = new Set<Queue>();
  readonly #lines = new LineCounter();
  /** Lines of queues and their fields, by path and name of the field. */
  readonly #lineOf = new Map<string, number>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Queue {
    const root = { name: "root", weight: 1, guarantee: {}, ceiling: {}, children: this.#top() };
    // If something could not be read, only this is reported: faults that follow from it would be misleading.
    if (this.faults.length > 0) return root;
    for (const { path, field, message } of queueFaults(root)) {
      const line = this.#lineOf.get(`${path}/${field}`) ?? this.#lineOf.get(`${path}/name`) ?? 1;
      const isNamed = path === "" || field === "name";
      this.faults.push({ line, message: isNamed ? message : `queue ${path}: ${message}` });
    }
    return root;
  }

  #top(): readonly Queue[] {
    try {
      const document = parseDocument(this.#text, { lineCounter: this.#lines, prettyErrors: false });
      for (const { pos, message } of document.errors) this.#add(this.#lines.linePos(pos[0]).line, harmless(message));
      if (document.errors.length > 0) return [];
      const fields = this.#fields(document.contents, "the file", ["queues"]);
      const queues = fields?.get("queues");
      if (fields !== undefined && queues === undefined)
        this.#add(1, "there are no queues: the file has no list queues");
      return queues === undefined ? [] : this.#queues(queues, "", "queues");
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#add(1, `it is nested too deeply: ${messageOf(error)}`);
      return [];
    }
  }

  #queues(node: Node, parent: string, what: string): readonly Queue[] {
    if (!isSeq<Node>(node)) {
      this.#fault(node, `${what} is not a list`);
      return [];
    }
    if (parent !== "") this.#lineOf.set(`${parent}/children`, this.#line(node));
    return node.items.flatMap((item) => this.#queue(item, parent) ?? []);
  }

  #queue(node: Node, parent: string): Queue | undefined {
    const before = this.faults.length;
    const fields = this.#fields(node, "a queue", QUEUE_FIELDS);
    if (fields === undefined) return undefined;
    const name = this.#name(node, fields.get("name"), parent);
    const path = queuePath(parent, name);
    for (const [field, value] of fields) this.#lineOf.set(`${path}/${field}`, this.#line(value));
    const children = fields.get("children");
    const own = {
      name,
      weight: this.#weight(fields.get("weight")),
      guarantee: this.#amounts(fields.get("guarantee"), "guarantee"),
      ceiling: this.#amounts(fields.get("ceiling"), "ceiling"),
      ...this.#access(fields),
      ...this.#floor(fields.get("floor")),
      ...this.#preemption(fields.get("preemption")),
    };
    const isWrong = this.faults.length > before || (children !== undefined && !isSeq(children));
    const queue = { ...own, children: children === undefined ? [] : this.#queues(children, path, "children") };
    if (isWrong) this.wrong.add(queue);
    return queue;
  }

  #name(queue: Node, node: Node | undefined, parent: string): string {
    const name = isScalar(node) ? String(node.value ?? "") : "";
    const path = queuePath(parent, name);
    if (node === undefined) this.#fault(queue, "a queue needs a name");
    else if (!NAME.test(name)) {
      this.#fault(node, "a name is made of letters, digits, - and _, with a letter or digit at both ends");
    } else if (path.length > LONGEST_PATH) {
      this.#fault(
        node,
        `queue ${path}: applications cannot name it, since labels have at most ${LONGEST_PATH} characters`,
      );
    }
    return name;
  }

  #weight(node: Node | undefined): number {
    if (node === undefined) return 1;
    if (isScalar(node) && typeof node.value === "number") return node.value;
    this.#fault(node, "weight is not a number");
    return 1;
  }

  #access(fields: ReadonlyMap<string, Node>): Pick<Queue, "namespaces" | "priority"> {
    const namespaces = this.#plain(fields.get("namespaces"), readNamespaces);
    const priority = this.#plain(fields.get("priority"), readPriority);
    return { ...(namespaces !== undefined && { namespaces }), ...(priority !== undefined && { priority }) };
  }

  #plain<T>(node: Node | undefined, read: (value: unknown) => Read<T>): T | undefined {
    if (node === undefined) return undefined;
    const found = read(toPlain(node));
    if ("value" in found) return found.value;
    this.#fault(node, found.fault);
    return undefined;
  }

  #floor(node: Node | undefined): Pick<Queue, "floor"> {
    if (node === undefined) return {};
    const floor = isScalar(node) ? node.value : undefined;
    if (floor === "minimum" || typeof floor === "number") return { floor };
    this.#fault(node, "floor is neither minimum nor a number of executors");
    return {};
  }

  #preemption(node: Node | undefined): Pick<Queue, "preemption"> {
    if (node === undefined) return {};
    const preemption = PREEMPTIONS.find((one) => isScalar(node) && node.value === one);
    if (preemption !== undefined) return { preemption };
    this.#fault(node, `preemption is not one of ${PREEMPTIONS.join(", ")}`);
    return {};
  }

  #amounts(node: Node | undefined, what: string): Resources {
    if (node === undefined) return {};
    const fields = this.#fields(node, what, undefined);
    const quantities: Record<string, string> = {};
    for (const [name, value] of fields ?? []) {
      const text = isScalar(value) ? String(value.value) : "";
      const quantity = parseQuantity(text);
      const misnamed = resourceNameFault(name);
      if (misnamed !== undefined) this.#fault(value, `${what}: ${harmless(name)} ${misnamed}`);
      else if (quantity === undefined || quantity.numerator < 0n) {
        this.#fault(value, `${what} of ${harmless(name)} is not an amount such as 4, 500m or 16Gi`);
      } else quantities[name] = text;
    }
    return readResources(quantities);
  }

  /**
   * The members of a map. If the node is no map, a fault is recorded and the result is undefined. `known`: other names are
   * faults.
   */
  #fields(node: unknown, what: string, known: readonly string[] | undefined): ReadonlyMap<string, Node> | undefined {
    if (!isMap<Node, Node>(node)) {
      this.#add(isNode(node) ? this.#line(node) : 1, `${what} is not a map of names and values`);
      return undefined;
    }
    const fields = new Map<string, Node>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : "";
      if (known !== undefined && !known.includes(name)) {
        this.#fault(key, `${what} has no ${harmless(name)}: there is ${known.join(", ")}`);
      } else if (isNode(value) && !(isScalar(value) && value.value === null)) fields.set(name, value);
    }
    return fields;
  }

  #line({ range }: Node): number {
    return this.#lines.linePos(range?.[0] ?? 0).line;
  }

  #fault(node: Node, message: string): void {
    this.#add(this.#line(node), message);
  }

  #add(line: number, message: string): void {
    this.faults.push({ line, message });
  }
}

/** Lists, maps and scalars as in JSON. Aliases (references to another part of the file) are left out. */
function toPlain(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(toPlain);
  if (isMap(node)) {
    return Object.fromEntries(node.items.map(({ key, value }) => [String(toPlain(key)), toPlain(value)]));
  }
  return isScalar(node) ? node.value : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function harmless(text: string): string {
  return harmlessText(text, 100);
}
