import { isScalar, isSeq, LineCounter, parseAllDocuments, visit, type Document, type ScalarTag } from "yaml";
import { isKindlingError, javaDoubleToString, KindlingError, messageOf } from "@kindling/core-spec";

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
    const problem =
      error instanceof RangeError ? "it is nested too deeply, or an alias holds itself" : messageOf(error);
    throw invalid(origin, problem);
  }
}

function parseObject(text: string, origin: string): unknown {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    schema: "failsafe",
    customTags: JSON_TAGS,
    lineCounter: lines,
    prettyErrors: false,
  });
  if (!Array.isArray(documents) || documents[0] === undefined) throw invalid(origin, "the file is empty");
  const fault = documents.flatMap(faultsOf)[0];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.at);
    throw invalid(origin, `line ${line}, column ${col}: ${fault.message}`);
  }
  if (documents.length > 1) throw invalid(origin, `the file holds ${documents.length} documents instead of one`);
  const [document] = documents;
  if (isScalar(document.contents) || isSeq(document.contents)) throw invalid(origin, "the file holds no object");
  return settle(document.toJS(), "", "", origin);
}

interface Fault {
  /** Where in the text. */
  readonly at: number;
  readonly message: string;
}

function faultsOf(document: Document): Fault[] {
  const faults: Fault[] = document.errors.map(({ pos, message }) => ({ at: pos[0], message }));
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      faults.push({ at: alias.range?.[0] ?? 0, message: `there is no anchor &${alias.source} before this alias` });
    },
  });
  return faults;
}

function invalid(origin: string, problem: string): KindlingError {
  return new KindlingError("TEMPLATE_INVALID", `${origin}: ${problem}`);
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
    if (!/^-?\d+$/.test(value)) throw invalid(origin, `${path}: "${value}" is not a whole number`);
    return Number(value);
  }
  if (BOOLEANS.has(field) && value !== "true" && value !== "false") {
    throw invalid(origin, `${path}: "${value}" is neither true nor false`);
  }
  return BOOLEANS.has(field) ? value === "true" : value;
}

function textOf(value: unknown): unknown {
  if (value instanceof Float) return javaDoubleToString(value.number);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
