import { harmlessText } from "./outside-text.ts";

// Shorter texts would remove parts of ordinary words, and are no secrets.
const SHORTEST = 4;
// The limit for a part of something longer: a short part would match other texts by chance.
const SHORTEST_PART = 8;

/**
 * The forms in which a secret may appear in a text: unchanged, escaped as in a URI, JSON, XML, properties or a message, in
 * base64 (also as a part of a longer text), and the single lines of a secret with several lines, such as a key in PEM.
 */
export function secretForms(secret: string): string[] {
  const trimmed = secret.trim();
  const whole = [
    secret,
    trimmed,
    inMessage(trimmed),
    inUri(trimmed),
    inJson(trimmed),
    inXml(trimmed),
    inProperties(trimmed),
  ];
  const base64 = ["base64", "base64url"] as const;
  const encoded = [secret, trimmed].flatMap((text) => base64.map((encoding) => Buffer.from(text).toString(encoding)));
  const parts = [...insideBase64(trimmed), ...linesOf(trimmed)].filter(({ length }) => length >= SHORTEST_PART);
  return [...whole, ...encoded, ...parts].filter(({ length }) => length >= SHORTEST);
}

function inMessage(text: string): string {
  return harmlessText(text, Infinity);
}

function inUri(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a character, which cannot be in a URI.
    return text;
  }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function inXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

function inProperties(text: string): string {
  return text.replace(/[\\=:#!]/g, "\\$&");
}

/** The characters that represent this text inside the base64 of a longer text, for each possible position. */
function insideBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Each character represents six bits, so the characters at both ends depend on the text around (RFC 4648, 4).
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return encoded.slice(first, end);
  });
}

function linesOf(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length > 1 ? lines.filter((line) => !line.startsWith("-----")) : [];
}
