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

/** How to change an object so that it may be shown. */
export interface Redaction {
  readonly isSecret: IsSecret;
  /** Knows the secrets in texts of any kind, and receives those that are found. */
  readonly secrets: Redactor;
}

// Shorter secrets that were found in objects, and not by a key of the configuration, would be removed from ordinary words.
const SHORTEST_FOUND = 6;

/** Finds the secrets in objects, so that they are removed from all of them, in every place. */
export function learnSecrets(objects: readonly unknown[], redaction: Redaction): void {
  const learn: Hide = (text, key = "") => {
    const isOne = text.length >= SHORTEST_FOUND && mayBeSecret(text) && !isAboutSecrets(key);
    if (isOne) redaction.secrets.hide(text);
    return REDACTED;
  };
  for (const object of objects) walk(object, redaction, learn);
}

/**
 * An object as it may be shown: without the data of Secrets, without the values of settings, variables, labels, annotations,
 * arguments and fields with names that look like secrets, and without any known secret.
 */
export function redactObject<T>(object: T, redaction: Redaction): T {
  return walk(object, redaction, () => REDACTED) as T;
}

/** Receives each secret and returns the text to show instead. */
type Hide = (secret: string, key?: string) => string;

// Fields of Kubernetes that name a Secret, a key or file of a Secret, or an image (PodSpec, Ingress, storage classes).
const NAMES = new Set(["image", "kind", "apiVersion", "secretName", "secretNamespace", "secretFile", "tokenPath"]);
// Fields with names and values of the user's own, and texts that a program reads.
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

  /** A text under a key. In a text of the user's own, the user's own patterns for secrets count too. */
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
