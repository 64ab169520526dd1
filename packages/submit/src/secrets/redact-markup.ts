import { isAboutSecrets, isSecretKey, type IsSecret } from "./redact.ts";

export interface MarkupRedaction {
  readonly isSecret: IsSecret;
  /** Receives each secret and returns the text to show instead. */
  readonly hide: (secret: string, key?: string) => string;
}

// With a bounded length, or an end at the next bracket, the time grows only linearly with the text.
const TAG = /<[^<>]{1,4096}>/g;
const ELEMENT = /<([\w.:-]{1,256})((?:\s[^<>]{0,4096})?)>(\s*(?:<!\[CDATA\[)?)([^<>\]]+)/g;
const NAME = /\b(?:name|key)\s{0,16}=\s{0,16}["']([^"'<>]{1,512})["']/i;
const VALUE = /(\bvalue\s{0,16}=\s{0,16})("[^"<>]*"|'[^'<>]*')/i;

/**
 * XML without the secrets in it: properties in Hadoop's format, with name and value as elements in any order, or as
 * attributes (Configuration.loadResource), and elements with a tag or a name that looks like a secret (`<Property
 * name="password">…`). Any other text stays as it is.
 */
export function redactMarkup(content: string, { isSecret, hide }: MarkupRedaction): string {
  if (!content.includes("<")) return content;
  return content
    .split(/(?=<\/?property\b)/i)
    .map(property)
    .join("")
    .replace(TAG, tag)
    .replace(ELEMENT, element);

  function property(part: string): string {
    const name = between(part, "<name>", "</name>");
    const value = between(part, "<value>", "</value>");
    if (name === undefined || value === undefined) return part;
    const key = part.slice(...name).trim();
    const text = part.slice(...value);
    return isSecret(key, text) ? part.slice(0, value[0]) + hidden(text, key) + part.slice(value[1]) : part;
  }

  function tag(whole: string): string {
    const [, name = ""] = NAME.exec(whole) ?? [];
    return whole.replace(VALUE, (attribute, before: string, value: string) =>
      isSecret(name, value.slice(1, -1)) ? `${before}"${hide(value.slice(1, -1), name)}"` : attribute,
    );
  }

  function element(whole: string, called: string, attributes: string, before: string, text: string): string {
    const [, name = called] = NAME.exec(attributes) ?? [];
    if (text.trim() === "" || !isSecretKey(name) || isAboutSecrets(name)) return whole;
    return `<${called}${attributes}>${before}${hide(text, name)}`;
  }

  function hidden(text: string, key: string): string {
    const [, inside = text] = /<!\[CDATA\[([^\]]*)\]\]>/.exec(text) ?? [];
    return hide(inside, key);
  }
}

/** Where the text between two tags begins and ends. */
function between(text: string, start: string, end: string): [number, number] | undefined {
  const from = text.indexOf(start);
  const to = text.lastIndexOf(end);
  return from === -1 || to < from ? undefined : [from + start.length, to];
}
