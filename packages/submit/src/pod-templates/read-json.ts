import { TemplateFault, type TemplateNode } from "./template-node.ts";

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?/y;
const WORD = /true|false|null/y;
// Characters that a text must not contain unescaped.
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/**
 * Reads the JSON value at the beginning of a text, with nothing after it: as Jackson does, and with the texts of numbers,
 * which `JSON.parse` cannot give in the Node versions that Kindling runs on.
 *
 * @throws TemplateFault if the text is no JSON
 */
export function readJson(text: string): TemplateNode {
  let at = 0;
  return value();

  function value(): TemplateNode {
    take(BLANKS);
    const start = at;
    if (text[at] === "{") return { kind: "map", members: members(), at: start };
    if (text[at] === "[") return { kind: "list", items: items(), at: start };
    if (text[at] === '"') return { kind: "text", text: string(), at: start };
    const word = take(WORD);
    if (word !== undefined) return { kind: word === "null" ? "null" : "boolean", text: word, at: start };
    return number();
  }

  function number(): TemplateNode {
    const start = at;
    const whole = take(NUMBER);
    if (whole === undefined || /[\w.+-]/.test(text[at] ?? "")) throw new TemplateFault(start, "there is no value");
    if (/^-?\d+$/.test(whole)) return { kind: "integer", text: whole, at: start };
    return { kind: "float", text: whole, number: Number(whole), at: start };
  }

  function string(): string {
    const start = at;
    const quoted = take(TEXT);
    if (quoted === undefined)
      throw new TemplateFault(start, "there is no text in double quotes, or it is not as JSON has it");
    return JSON.parse(quoted) as string;
  }

  function items(): TemplateNode[] {
    return until("]", value);
  }

  function members(): (readonly [string, TemplateNode])[] {
    return until("}", () => {
      take(BLANKS);
      const key = string();
      take(BLANKS);
      if (text[at] !== ":") throw new TemplateFault(at, "there is no colon behind a key");
      at++;
      return [key, value()] as const;
    });
  }

  /** The values between an opening bracket and its closing bracket, separated by commas. */
  function until<T>(end: string, one: () => T): T[] {
    at++;
    take(BLANKS);
    const all: T[] = [];
    if (text[at] === end) {
      at++;
      return all;
    }
    for (;;) {
      all.push(one());
      take(BLANKS);
      const next = text[at++];
      if (next === end) return all;
      if (next !== ",") throw new TemplateFault(at - 1, `there is no comma and no ${end} behind a value`);
    }
  }

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  }
}
