import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
  type Document,
  type ScalarTag,
  type YAMLMap,
} from "yaml";
import {
  harmlessText,
  isKindlingError,
  javaDoubleToString,
  KindlingError,
  messageOf,
  quotedName,
} from "@kindling/core-spec";
import { tooDeepAt } from "./yaml-depth.ts";

/** A number with a fraction or exponent; as text it reads as Java writes it. */
class Float {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

// Spark reads pod templates with fabric8's client, whose YAML knows JSON's words alone (measured with Spark 3.5.9 and
// 4.3.0): `yes`, `on`, `0644`, `~` and `True` are texts, not booleans, octal numbers or nulls.
const JSON_TAGS: ScalarTag[] = [
  { tag: "tag:yaml.org,2002:null", default: true, test: /^(?:null)?$/, resolve: () => null },
  { tag: "tag:yaml.org,2002:bool", default: true, test: /^(?:true|false)$/, resolve: (text) => text === "true" },
  { tag: "tag:yaml.org,2002:int", default: true, test: /^-?(?:0|[1-9]\d*)$/, resolve: Number },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d+)?$/,
    resolve: (text) => new Float(Number(text)),
  },
];

/**
 * Reads one object from YAML or JSON as Spark reads pod templates. Fields that Kubernetes holds as text or quantities
 * become texts also where the file has numbers (`cpu: 1`), and file modes may be octal (`defaultMode: 0644`).
 *
 * @param origin what asked for the text and where it is from, for the error
 * @throws KindlingError `TEMPLATE_INVALID` with line and column
 */
export function parseYaml(text: string, origin: string): unknown {
  try {
    return parseObject(text, origin);
  } catch (error) {
    if (isKindlingError(error)) throw error;
    // What the parser does not report but throws: aliases that multiply, and what is too deep for the stack.
    throw invalid(origin, error instanceof RangeError ? TOO_DEEP : problemOf(messageOf(error)));
  }
}

function parseObject(text: string, origin: string): unknown {
  const lines = new LineCounter();
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined) throw invalid(origin, `${placeOf(text, deepAt)}: ${TOO_DEEP}`);
  const documents = parseAllDocuments(text, {
    schema: "failsafe",
    customTags: JSON_TAGS,
    lineCounter: lines,
    prettyErrors: false,
    // The library compares each key with all before it; see faultsOf.
    uniqueKeys: false,
  });
  if (!Array.isArray(documents) || documents[0] === undefined) throw invalid(origin, "the file is empty");
  const fault = documents.flatMap(faultsOf)[0];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.at);
    throw invalid(origin, `line ${line}, column ${col}: ${problemOf(fault.message)}`);
  }
  if (documents.length > 1) throw invalid(origin, `the file holds ${documents.length} documents instead of one`);
  const [document] = documents;
  if (isScalar(document.contents) || isSeq(document.contents)) throw invalid(origin, "the file holds no object");
  return settle(document.toJS(), "", "", origin);
}

/** Before the parser has counted the lines. */
function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

interface Fault {
  /** Where in the text. */
  readonly at: number;
  readonly message: string;
}

// An API server refuses longer ones among labels, and paths of them are made in many places.
const LONGEST_KEY = 1024;
// The library looks through the whole document for each.
const MOST_ALIASES = 1000;

/** What the library does not look at, or not in a time that grows with the length alone. */
function faultsOf(document: Document): Fault[] {
  const faults: Fault[] = document.errors.map(({ pos, message }) => ({ at: pos[0], message }));
  const anchors = new Set<string>();
  let aliases = 0;
  visit(document, {
    Value(_, node) {
      if (node.anchor !== undefined) anchors.add(node.anchor);
      const fault = isMap(node) ? keyFault(node) : undefined;
      if (fault !== undefined) faults.push(fault);
    },
    Alias(_, { source, range }) {
      aliases++;
      const at = range?.[0] ?? 0;
      if (!anchors.has(source)) faults.push({ at, message: `there is no anchor &${source} before this alias` });
      if (aliases > MOST_ALIASES) {
        faults.push({ at, message: `there are more than ${MOST_ALIASES} aliases` });
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return faults;
}

/** The first fault among the keys of a map. */
function keyFault({ items }: YAMLMap): Fault | undefined {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const at = key.range?.[0] ?? 0;
    if (seen.has(key.value)) return { at, message: "Map keys must be unique" };
    seen.add(key.value);
    if (typeof key.value === "string" && key.value.length > LONGEST_KEY) {
      return { at, message: `the key is longer than ${LONGEST_KEY} characters` };
    }
  }
  return undefined;
}

const TOO_DEEP = "it is nested too deeply, or an alias holds itself";

/** The library's words without what they quote: a file may hold secrets, and megabytes in one line. */
function problemOf(message: string): string {
  return message.includes("call stack") ? TOO_DEEP : harmlessText(message.replace(/: ["'`].*$/s, ""), 200);
}

function invalid(origin: string, problem: string): KindlingError {
  return new KindlingError("TEMPLATE_INVALID", `${origin}: ${problem}`, {
    hint: "the file must hold one object in YAML or JSON, as kubectl apply takes it",
  });
}

// What Kubernetes has for the fields of pods, by their names, as far as people write another type there.
const TEXT_MAPS = new Set([
  "labels",
  "annotations",
  "nodeSelector",
  "matchLabels",
  "limits",
  "requests",
  "overhead",
  "minResources",
]);
const TEXT_LISTS = new Set(["args", "command", "values"]);
const TEXTS = new Set(["value", "name", "sizeLimit", "divisor", "effect", "key", "operator"]);
const MODES = new Set(["defaultMode", "mode"]);
const NUMBERS = new Set(
  (
    "containerPort hostPort terminationGracePeriodSeconds activeDeadlineSeconds priority runAsUser runAsGroup fsGroup " +
    "tolerationSeconds expirationSeconds periodSeconds timeoutSeconds initialDelaySeconds failureThreshold " +
    "successThreshold weight maxSkew minDomains"
  ).split(" "),
);
const BOOLEANS = new Set(
  (
    "hostNetwork hostPID hostIPC hostUsers shareProcessNamespace automountServiceAccountToken enableServiceLinks " +
    "setHostnameAsFQDN readOnly readOnlyRootFilesystem allowPrivilegeEscalation privileged runAsNonRoot stdin " +
    "stdinOnce tty optional"
  ).split(" "),
);

/** Gives each value the type that Kubernetes has for the field it stands in. */
function settle(value: unknown, field: string, path: string, origin: string): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      TEXT_LISTS.has(field) ? textOf(item) : settle(item, "", `${path}[${index}]`, origin),
    );
  }
  if (value instanceof Float) return TEXTS.has(field) ? textOf(value) : value.number;
  if (typeof value === "object" && value !== null) return settleMembers(value, field, path, origin);
  if (TEXTS.has(field)) return textOf(value);
  if (typeof value === "string") return settleText(value, field, path, origin);
  return value;
}

function settleMembers(value: object, field: string, path: string, origin: string): unknown {
  const isTexts = TEXT_MAPS.has(field);
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    const at = path === "" ? key : `${path}.${key}`;
    if (member === null) continue;
    if (isTexts && typeof member === "object" && !(member instanceof Float))
      throw invalid(origin, `${at} is not a text`);
    const settled = isTexts ? textOf(member) : settle(member, key, at, origin);
    if (settled !== undefined) members[key] = settled;
  }
  // Spark's client leaves empty maps out.
  return isTexts && Object.keys(members).length === 0 ? undefined : members;
}

function settleText(value: string, field: string, path: string, origin: string): unknown {
  if (MODES.has(field) && /^0o?[0-7]+$/.test(value)) return Number.parseInt(value.replace("o", ""), 8);
  if (NUMBERS.has(field) || MODES.has(field)) {
    if (!/^-?\d+$/.test(value)) throw invalid(origin, `${path}: ${quotedName(value)} is not a whole number`);
    return Number(value);
  }
  if (BOOLEANS.has(field) && value !== "true" && value !== "false") {
    throw invalid(origin, `${path}: ${quotedName(value)} is neither true nor false`);
  }
  return BOOLEANS.has(field) ? value === "true" : value;
}

function textOf(value: unknown): unknown {
  if (value instanceof Float) return javaDoubleToString(value.number);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
