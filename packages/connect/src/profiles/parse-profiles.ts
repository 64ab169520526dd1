import { harmlessText, messageOf } from "@kindling/core-spec";
import { type Document, isMap as isYamlMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { FieldsReader } from "./fields-reader.ts";
import { isMap, isProfileName } from "./profile-fields.ts";
import { readProfile } from "./read-profile.ts";
import type { Profile } from "./profile.ts";

/** The profiles of a file, and what is wrong with it. */
export interface ProfilesRead {
  /** The profiles that have no faults, in the file's order. */
  readonly profiles: readonly Profile[];
  /** Each with file and line. */
  readonly faults: readonly string[];
}

/**
 * Reads profiles from YAML: a map `profiles` with one entry for each. A profile with a fault is left out, and the others stay.
 *
 * @param origin the file, for messages
 */
export function parseProfiles(text: string, origin: string): ProfilesRead {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => `${origin}:${lines.linePos(offset).line}`;
  if (document.errors.length > 0)
    return {
      profiles: [],
      faults: document.errors.map(({ pos, message }) => `${at(pos[0])}: ${harmlessText(message, 200)}`),
    };
  const faults: string[] = [];
  const list: unknown = isYamlMap(document.contents) ? document.contents.get("profiles", true) : undefined;
  if (!isYamlMap<Node, Node>(list)) return { profiles: [], faults: [`${origin}: it has no map called profiles`] };
  const profiles = list.items.flatMap(({ key, value }): readonly Profile[] => {
    const name = isScalar(key) ? String(key.value) : "";
    const where = `profile ${harmlessText(name, 60)}`;
    const found: string[] = [];
    const note = (offset: number | undefined, message: string): number =>
      found.push(`${at(offset ?? key.range?.[0] ?? 0)}: ${message}`);
    if (!isProfileName(name))
      note(undefined, `${where}: a name has at most 40 of a-z, 0-9 and -, and begins and ends with a letter or digit`);
    const fields = plain(value, document, (message) => note(undefined, `${where}: ${message}`));
    const profile = readProfile(
      name,
      new FieldsReader(fields, where, (field, message) => note(offsetOf(value, field), message)),
    );
    faults.push(...found);
    return profile === undefined || found.length > 0 ? [] : [profile];
  });
  return { profiles, faults };
}

function plain(
  node: Node | null,
  document: Document,
  fault: (message: string) => void,
): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = node?.toJS(document, { maxAliasCount: 100 }) ?? {};
    if (isMap(value)) return value;
    fault("it is not a map of names and values");
  } catch (error) {
    fault(harmlessText(messageOf(error), 100));
  }
  return {};
}

function offsetOf(node: Node | null, field: string): number | undefined {
  if (!isYamlMap<Node, Node>(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === field);
  return pair?.key.range?.[0];
}
