import { KindlingError, messageOf } from "@kindling/core-spec";
import { type Queue, queueFaults, queuePath } from "@kindling/admission";
import { isScalar, isSeq, type Node } from "yaml";
import { goodPart } from "./good-part.ts";
import { type ConfiguredClass, readNodeClasses } from "./node-class-fields.ts";
import { QUEUE_FIELDS, readQueueFields } from "./queue-fields.ts";
import { type Fault, YamlReader } from "./yaml-reader.ts";

/** A message names at most so many faults. */
const MOST_FAULTS = 5;
/** Applications name their queue in a label, and label values have at most 63 characters. */
const LONGEST_PATH = 63;
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
 * The file may also have a list `nodes`, see `readNodeClasses`.
 *
 * @param origin the file, for messages
 * @returns the root, which has the queues of the file as its children; `queueFaults` finds nothing wrong with it
 * @throws KindlingError `FILE_UNPARSABLE` with the line of each fault
 */
export function parseQueues(text: string, origin: string): Omit<QueuesRead, "fault"> {
  const { fault, ...read } = readQueues(text, origin);
  if (fault !== undefined) throw fault;
  return read;
}

/** The queues of a file, and what is wrong with them. */
export interface QueuesRead {
  /** The tree without the queues that have faults. */
  readonly root: Queue;
  /** The classes of nodes that have no faults. */
  readonly nodeClasses: readonly ConfiguredClass[];
  /** `FILE_UNPARSABLE` with the line of each fault. */
  readonly fault: KindlingError | undefined;
}

/** Like `parseQueues`, but keeps the valid part of a file that has faults. */
export function readQueues(text: string, origin: string): QueuesRead {
  const reader = new QueuesReader(text);
  const root = reader.read();
  const { faults, wrong, nodeClasses } = reader;
  if (faults.length === 0) return { root, nodeClasses, fault: undefined };
  return { root: goodPart(root, wrong), nodeClasses, fault: faultOf(faults, origin) };
}

function faultOf(faults: readonly Fault[], origin: string): KindlingError {
  const told = faults.toSorted((a, b) => a.line - b.line).slice(0, MOST_FAULTS);
  const more = faults.length > told.length ? `; and ${faults.length - told.length} more` : "";
  const message = told.map(({ line, message: what }) => `${origin}:${line}: ${what}`).join("; ");
  return new KindlingError("FILE_UNPARSABLE", `${message}${more}`, {
    hint: `the file holds queues, each with ${QUEUE_FIELDS.slice(0, -1).join(", ")} and ${QUEUE_FIELDS.at(-1)}; only the name is needed`,
  });
}

class QueuesReader {
  /** Queues with a field that could not be read. */
  readonly wrong = new Set<Queue>();
  nodeClasses: readonly ConfiguredClass[] = [];
  readonly #yaml: YamlReader;
  /** Lines of queues and their fields, by path and name of the field. */
  readonly #lineOf = new Map<string, number>();

  constructor(text: string) {
    this.#yaml = new YamlReader(text);
  }

  get faults(): readonly Fault[] {
    return this.#yaml.faults;
  }

  read(): Queue {
    const root = { name: "root", weight: 1, guarantee: {}, ceiling: {}, children: this.#top() };
    // If something could not be read, only this is reported: faults that follow from it would be misleading.
    if (this.faults.length > 0) return root;
    for (const { path, field, message } of queueFaults(root)) {
      const line = this.#lineOf.get(`${path}/${field}`) ?? this.#lineOf.get(`${path}/name`) ?? 1;
      const isNamed = path === "" || field === "name";
      this.#yaml.faultAt(line, isNamed ? message : `queue ${path}: ${message}`);
    }
    return root;
  }

  #top(): readonly Queue[] {
    try {
      const contents = this.#yaml.contents();
      if (contents === undefined) return [];
      const fields = this.#yaml.fields(contents, "the file", ["queues", "nodes"]);
      const queues = fields?.get("queues");
      const nodes = fields?.get("nodes");
      if (nodes !== undefined) this.nodeClasses = readNodeClasses(nodes, this.#yaml);
      if (fields !== undefined && queues === undefined)
        this.#yaml.faultAt(1, "there are no queues: the file has no list queues");
      return queues === undefined ? [] : this.#queues(queues, "", "queues");
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#yaml.faultAt(1, `it is nested too deeply: ${messageOf(error)}`);
      return [];
    }
  }

  #queues(node: Node, parent: string, what: string): readonly Queue[] {
    if (!isSeq<Node>(node)) {
      this.#yaml.fault(node, `${what} is not a list`);
      return [];
    }
    if (parent !== "") this.#lineOf.set(`${parent}/children`, this.#yaml.lineOf(node));
    return node.items.flatMap((item) => this.#queue(item, parent) ?? []);
  }

  #queue(node: Node, parent: string): Queue | undefined {
    const before = this.faults.length;
    const fields = this.#yaml.fields(node, "a queue", QUEUE_FIELDS);
    if (fields === undefined) return undefined;
    const name = this.#name(node, fields.get("name"), parent);
    const path = queuePath(parent, name);
    for (const [field, value] of fields) this.#lineOf.set(`${path}/${field}`, this.#yaml.lineOf(value));
    const own = readQueueFields(name, fields, this.#yaml);
    const children = fields.get("children");
    const isWrong = this.faults.length > before || (children !== undefined && !isSeq(children));
    const queue = { ...own, children: children === undefined ? [] : this.#queues(children, path, "children") };
    if (isWrong) this.wrong.add(queue);
    return queue;
  }

  #name(queue: Node, node: Node | undefined, parent: string): string {
    const name = isScalar(node) ? String(node.value ?? "") : "";
    const path = queuePath(parent, name);
    if (node === undefined) this.#yaml.fault(queue, "a queue needs a name");
    else if (!NAME.test(name)) {
      this.#yaml.fault(node, "a name is made of letters, digits, - and _, with a letter or digit at both ends");
    } else if (path.length > LONGEST_PATH) {
      this.#yaml.fault(
        node,
        `queue ${path}: applications cannot name it, since labels have at most ${LONGEST_PATH} characters`,
      );
    }
    return name;
  }
}
