import { formatProperties, parseProperties, type Redactor } from "@kindling/core-spec";
import { parse, parseAllDocuments, stringify } from "yaml";
import { tooDeepAt } from "../pod-templates/yaml-depth.ts";
import { redactMarkup } from "./redact-markup.ts";
import {
  isAboutSecrets,
  isSecretKey,
  replaceSecretSettings,
  settingAlone,
  withoutUserInfo,
  type IsSecret,
} from "./redact.ts";

/** How the parts of a file are changed so that they may be shown. */
export interface FileRedaction {
  readonly isSecret: IsSecret;
  readonly secrets: Redactor;
  /** Receives each secret and returns the text to show instead. */
  readonly hide: (secret: string, key?: string) => string;
  /** Cleans a value under a key. */
  readonly text: (value: string, key: string) => string;
  /** Cleans an object or a list. */
  readonly value: (value: unknown) => unknown;
}

/** A file of a ConfigMap as it may be shown. Settings are found in it in any form, also in comments and markup. */
export function redactFile(content: string, name: string, redaction: FileRedaction): string {
  const { secrets, hide, text } = redaction;
  if (name.endsWith(".properties")) return properties();
  if (/\.(?:ya?ml|json)$/.test(name)) return document();
  // The file is named after its content, such as `db-password`.
  return isSecretKey(name) && !isAboutSecrets(name) && !/\.(?:xml|sh|conf|ini|cfg)$/.test(name)
    ? hide(content, name)
    : plain();

  function properties(): string {
    let entries: Record<string, string>;
    try {
      entries = parseProperties(content);
    } catch {
      return plain();
    }
    const shown = Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, text(value, key)]));
    const [comment = ""] = content.split("\n");
    const isChanged = Object.entries(shown).some(([key, value]) => value !== entries[key]);
    return isChanged ? formatProperties(shown, comment.startsWith("#") ? lines(comment.slice(1)) : "") : plain();
  }

  function document(): string {
    if (tooDeepAt(content) !== undefined) return plain();
    try {
      const before: readonly unknown[] = name.endsWith(".json") ? [parse(content, QUIET)] : documentsIn(content);
      const shown = before.map((each) => redaction.value(isKubernetes(each) ? each : below(each)));
      return JSON.stringify(shown) === JSON.stringify(before)
        ? plain()
        : shown.map((each) => stringify(each)).join("---\n");
    } catch {
      return plain();
    }
  }

  /** Everything under a key of a secret is secret: `tokens: { github: … }`, and numbers too. */
  function below(value: unknown, isHidden = false): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => below(item, isHidden));
    if (typeof value === "object" && value !== null) {
      const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
        const hidesMember = isHidden || (isSecretKey(key) && !isAboutSecrets(key));
        return [key, below(member, hidesMember)];
      });
      return Object.fromEntries(members) as unknown;
    }
    return isHidden && (typeof value === "string" || typeof value === "number") ? hide(String(value)) : value;
  }

  function plain(): string {
    return secrets.clean(lines(redactMarkup(content, redaction)));
  }

  /**
   * Scripts, comments, and formats that no parser here understands. A line that ends in a backslash continues in the next
   * one.
   */
  function lines(all: string): string {
    return all
      .replace(PRIVATE_KEY, (key) => hide(key))
      .split(/(?<!\\)\n/)
      .map(line)
      .join("\n");
  }

  function line(each: string): string {
    const alone = settingAlone(each);
    const whole = alone === undefined ? each : each.slice(0, -alone.length) + hide(alone);
    return withoutUserInfo(replaceSecretSettings(whole, hide));
  }
}

const QUIET = { prettyErrors: false, logLevel: "silent" } as const;

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?:(?!-----)[^]){0,65536}(?:-----END [A-Z ]{0,32}PRIVATE KEY-----)?/g;

function documentsIn(content: string): unknown[] {
  const documents = parseAllDocuments(content, QUIET);
  return [...documents].map((each) => {
    const [error] = each.errors;
    if (error !== undefined) throw error;
    return each.toJS() as unknown;
  });
}

/** Fields of Kubernetes objects name Secrets, and contain none. */
function isKubernetes(value: unknown): boolean {
  return typeof value === "object" && value !== null && "spec" in value;
}
