import { harmlessText } from "@kindling/core-spec";

/** A piece of a page: text in it has been escaped. Only `html` makes one. */
export class Html {
  readonly text: string;

  /** @param text what a browser shall take for markup. */
  constructor(text: string) {
    this.text = text;
  }
}

/** What a page can have in it; a text is shown as it is, whatever stands in it. */
export type Content = Html | string | number | false | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Puts contents into markup, as elements' text or between the quotes of attributes. */
export function html(markup: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(markup.map((part, index) => part + textOf(contents[index])).join(""));
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return "";
  if (content instanceof Html) return content.text;
  if (typeof content === "object") return content.map(textOf).join("");
  // Names are other people's: none may turn the direction of what stands beside it.
  return harmlessText(String(content)).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
