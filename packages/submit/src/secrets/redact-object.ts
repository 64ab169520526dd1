import { REDACTED, type Redactor } from "@kindling/core-spec";
import { redactFile, type FileRedaction } from "./redact-file.ts";
import {
  holdsSecretSetting,
  isAboutSecrets,
  isSecretKey,
  mayBeSecret,
  secretSettingsIn,
  type IsSecret,
} from "./redact.ts";

/** How an object is made fit to be shown. */
export interface Redaction {
  readonly isSecret: IsSecret;
  /** Knows the secrets that stand in texts of any kind, and learns those that are found. */
  readonly secrets: Redactor;
}

// Shorter ones, found in objects and not told by a key of the configuration, would be taken out of ordinary words.
const SHORTEST_FOUND = 6;

/** Learns what in objects is a secret, so that it is taken out of all of them, wherever it stands. */
export function learnSecrets(objects: readonly unknown[], redaction: Redaction): void {
  const learn: Hide = (text, key = "") => {
    const isOne = text.length >= SHORTEST_FOUND && mayBeSecret(text) && !isAboutSecrets(key);
    if (isOne) redaction.secrets.hide(text);
    return REDACTED;
  };
  for (const object of objects) walk(object, redaction, learn);
}

/**
 * An object as it may be shown: without what Secrets hold, without the values of settings, variables, labels, annotations,
 * arguments and fields whose names look like secrets, and without any secret that is known.
 */
export function redactObject<T>(object: T, redaction: Redaction): T {
  return walk(object, redaction, () => REDACTED) as T;
}

/** Is told each secret; its answer stands in its place. */
type Hide = (secret: string, key?: string) => string;

// Fields of Kubernetes that name a Secret, a key or file of one, or an image (PodSpec, Ingress, storage classes).
const NAMES = new Set(["image", "kind", "apiVersion", "secretName", "secretNamespace", "secretFile", "tokenPath"]);
// What holds names and values of the user's own, and texts that a program reads.
const FREE_TEXTS = new Set(["labels", "annotations", "args", "command", "data", "value"]);

function walk(root: unknown, { isSecret, secrets }: Redaction, hide: Hide): unknown {
  const ofFiles: FileRedaction = {
    isSecret,
    secrets,
    hide,
    text: (value, key) => text(value, key, true),
    value: (value) => walk(value, { isSecret, secrets }, hide),
  };
  return isFields(root) && root["kind"] === "Secret"
    ? mapFields(root, (value, key) =>
        key === "data" || key === "stringData" ? hideAll(value, key) : inside(value, key),
      )
    : inside(root, "");

  function inside(value: unknown, key: string): unknown {
    if (Array.isArray(value)) return value.map((item: unknown, index) => listItem(item, value[index - 1], key));
    if (isFields(value)) return fields(value, key);
    return typeof value === "string" && !NAMES.has(key) ? text(value, key, FREE_TEXTS.has(key)) : value;
  }

  function listItem(item: unknown, before: unknown, key: string): unknown {
    const isValue = typeof item === "string" && typeof before === "string" && holdsSecretSetting(`${before} ${item}`);
    return isValue && !holdsSecretSetting(before) ? hide(item) : inside(item, key);
  }

  function fields(value: Fields, around: string): unknown {
    const isFree = FREE_TEXTS.has(around);
    const named = value["name"] ?? value["key"];
    return mapFields(value, (member, key) => {
      if (typeof member !== "string") return inside(member, key);
      if (key === "value" && typeof named === "string" && isSecret(named, member)) return hide(member, named);
      if (around === "data") return redactFile(member, key, ofFiles);
      return isFree ? text(member, key, true) : inside(member, key);
    });
  }

  /** A text under a key; one of the user's own may look like a secret by what only this user calls one. */
  function text(value: string, key: string, isFree: boolean): string {
    const isHidden = isFree ? isSecret(key, value) : isSecretKey(key) || holdsSecretSetting(value);
    if (!isHidden) return secrets.clean(value);
    for (const secret of secretSettingsIn(value)) hide(secret);
    return hide(value, key);
  }

  function hideAll(value: unknown, key: string): unknown {
    if (!isFields(value)) return value;
    return mapFields(value, (member) => {
      if (typeof member !== "string") return member;
      if (key === "data") hide(Buffer.from(member, "base64").toString());
      return hide(member);
    });
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapFields(values: Fields, change: (value: unknown, key: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}
