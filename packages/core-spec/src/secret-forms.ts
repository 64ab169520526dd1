import { harmlessText } from "./outside-text.ts";

// Shorter ones would take parts out of ordinary words, and are no secrets.
const SHORTEST = 4;
// Of a part of something longer: a short one would meet other texts by chance.
const SHORTEST_PART = 8;

/**
 * The forms in which a secret may meet one in a text: as it is, as it stands in a URI, in JSON, XML, properties and a
 * message, in base64, also of something longer that holds it, and the lines of one that has several, as a key in PEM.
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
    // Half a character, which no URI can hold.
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

/** The characters that base64 of anything with this text in it has for it, for each place where it may begin. */
function insideBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Each character holds six bits, so that those at the edges depend on what is around (RFC 4648, 4).
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return encoded.slice(first, end);
  });
}

function linesOf(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length > 1 ? lines.filter((line) => !line.startsWith("-----")) : [];
}
