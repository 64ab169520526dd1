import { withoutUriSecrets } from "./uri-secrets.ts";
import { secretForms } from "./secret-forms.ts";

/**
 * Removes secrets from texts. Kindling's own messages are made without secrets; this is for messages of other programs that
 * are passed on.
 */
export interface Redactor {
  /** Registers a text that must never be shown, in this or any usual encoding. */
  hide(secret: string): void;
  clean(text: string): string;
}

/** The text that Spark itself writes instead of a secret (Utils.REDACTION_REPLACEMENT_TEXT). */
export const REDACTED: string = "*********(redacted)";

// The shortest part of a secret that is removed where a quotation was cut in the middle. A shorter part reveals nothing.
const SHORTEST_PIECE = 6;
// Longer texts are not quotations that were cut.
const LONGEST_QUOTE = 64 * 1024;

/**
 * Makes a redactor that knows no secret yet. Besides the registered secrets, it removes users and passwords from URIs, and
 * the queries of http URIs.
 *
 * @param mark replaces what is removed
 */
export function createRedactor(mark = "***"): Redactor {
  const secrets = new SecretTable();
  return {
    hide(secret) {
      for (const form of secretForms(secret)) secrets.add(form);
    },
    clean(text) {
      const whole = withoutSecrets(text, secrets, mark);
      return withoutUriSecrets(whole.length > LONGEST_QUOTE ? whole : withoutPieces(whole, secrets, mark), mark);
    },
  };
}

/** Texts to look for, indexed so that only places are examined where one of them may begin. */
class SecretTable {
  longest = 0;
  readonly #all = new Set<string>();
  readonly #firstUnits = new Set<number>();
  readonly #byBeginning = new Map<string, { readonly lengths: number[]; readonly texts: string[] }>();

  add(text: string): void {
    if (this.#all.has(text)) return;
    this.#all.add(text);
    this.#firstUnits.add(text.charCodeAt(0));
    this.longest = Math.max(this.longest, text.length);
    const start = beginningAt(text, 0);
    const alike = this.#byBeginning.get(start) ?? { lengths: [], texts: [] };
    this.#byBeginning.set(start, alike);
    alike.texts.push(text);
    if (alike.lengths.includes(text.length)) return;
    // The longest first: one secret may be part of another.
    alike.lengths.push(text.length);
    alike.lengths.sort((a, b) => b - a);
  }

  /** The length of the secret that begins at a position, 0 if none does. */
  lengthAt(text: string, at: number): number {
    if (!this.#firstUnits.has(text.charCodeAt(at))) return 0;
    const lengths = this.#byBeginning.get(beginningAt(text, at))?.lengths ?? [];
    return lengths.find((length) => this.#all.has(text.slice(at, at + length))) ?? 0;
  }

  /** Whether a secret begins with the text between two positions. */
  isPiece(text: string, start: number, end: number): boolean {
    if (!this.#firstUnits.has(text.charCodeAt(start))) return false;
    const piece = text.slice(start, end);
    return this.#byBeginning.get(beginningAt(text, start))?.texts.some((secret) => secret.startsWith(piece)) ?? false;
  }
}

function beginningAt(text: string, at: number): string {
  return text.slice(at, at + 4);
}

function withoutSecrets(text: string, secrets: SecretTable, mark: string): string {
  if (secrets.longest === 0) return text;
  let clean = "";
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    let end = at + secrets.lengthAt(text, at);
    if (end === at) continue;
    // A secret that begins within this one is removed with it completely.
    for (let next = at + 1; next < end; next++) end = Math.max(end, next + secrets.lengthAt(text, next));
    clean += text.slice(copied, at) + mark;
    copied = end;
    at = end - 1;
  }
  return clean + text.slice(copied);
}

/** Removes the beginning of a secret at the end of a quotation that was cut there. */
function withoutPieces(text: string, secrets: SecretTable, mark: string): string {
  if (secrets.longest === 0) return text;
  let clean = "";
  let copied = 0;
  for (const { index: end } of text.matchAll(/["']?(?:\u2026|\.\.\.)|$/g)) {
    for (let start = Math.max(copied, end - secrets.longest); start <= end - SHORTEST_PIECE; start++) {
      if (!secrets.isPiece(text, start, end)) continue;
      clean += text.slice(copied, start) + mark;
      copied = end;
    }
  }
  return clean + text.slice(copied);
}
